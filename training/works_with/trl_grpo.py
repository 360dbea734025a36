"""TRL's GRPO on one decision of a game, asked and scored by an OpenEnv server of this package::

    python training/works_with/trl_grpo.py            # a tiny random model, made here: one step
    python training/works_with/trl_grpo.py MODEL 500  # a model of transformers, 500 steps

A completion answers the first question of a seeded game, and whoever draws plays on: the payoff is the reward, and -1
that of an answer that names no legal action.
"""

from __future__ import annotations

import random
import socket
import sys
import threading
import time
from typing import Any

import uvicorn
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from titan_env.envs.openenv import GameAction, GameClient, make_app

GAME = {"game": "titan_race", "titans": 2, "opponents": "greedy", "seat": 0, "tokens": 1500}
TEMPLATE = "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}{% endfor %}<|assistant|>"


def serve() -> str:
    """Serve the game in a thread of this process; return its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(**GAME), log_level="warning"))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def tiny(texts: list[str]) -> tuple[Any, Any]:
    """Return a random model of 2 layers and a tokenizer of 2,000 tokens made of these texts."""
    words = Tokenizer(models.BPE())
    words.pre_tokenizer, words.decoder = pre_tokenizers.ByteLevel(), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    words.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=2000, special_tokens=["<end>"], initial_alphabet=alphabet)
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<end>", pad_token="<end>", padding_side="left", chat_template=TEMPLATE
    )
    shape = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2}
    ends = {"bos_token_id": None, "eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    return LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), **shape, **ends)), tokenizer


def main(name: str = "", steps: str = "1") -> None:
    """Train the model for some steps, and print what the trainer logged of each."""
    client = GameClient(base_url=serve()).sync()
    games = []
    for seed in range(32):
        asked = client.reset(seed=seed).observation
        talk = [{"role": "system", "content": asked.system_prompt}, {"role": "user", "content": asked.prompt}]
        games.append({"prompt": talk, "seed": seed})

    def payoff(completions: list[Any], seed: list[int], **_: Any) -> list[float]:
        """Return the payoff of each answer: the rest of its game is drawn."""
        payoffs = []
        for completion, number in zip(completions, seed, strict=True):
            client.reset(seed=number)
            result, rng = client.step(GameAction(answer=completion[0]["content"])), random.Random(number)
            if result.observation.action is None:
                payoffs.append(-1.0)
                continue
            while not result.done:
                result = client.step(GameAction(answer=rng.choice(result.observation.legal_actions)))
            payoffs.append(float(result.reward or 0))
        return payoffs

    if name:
        model, tokenizer = AutoModelForCausalLM.from_pretrained(name), AutoTokenizer.from_pretrained(name)
    else:
        model, tokenizer = tiny([message["content"] for game in games for message in game["prompt"]])
    arguments = GRPOConfig(
        output_dir="runs/trl",
        max_steps=int(steps),
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=256 if name else 16,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        use_cpu=not name,
        bf16=bool(name),
    )
    trainer = GRPOTrainer(model, payoff, arguments, Dataset.from_list(games), processing_class=tokenizer)
    trainer.train()
    for line in trainer.state.log_history:
        print({key: line[key] for key in ("step", "reward", "loss", "grad_norm") if key in line})


if __name__ == "__main__":
    main(*sys.argv[1:])
