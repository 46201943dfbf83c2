"""Steps a second and memory of one timeline environment, beside two peers in the same run.

    python benchmarks/timeline.py            # 5 seconds each
    python benchmarks/timeline.py --quick    # a smoke run

Peers that are not installed are named as such (`pip install pygame-ce textarena`). Figures of one machine mean little;
the ratio to PettingZoo's connect_four_v3 in the same run is what docs/performance.md records.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import time
import warnings


def rss_mb() -> float:
    """Returns this process's peak resident memory in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def ours(seconds: float, agent: str = "reader") -> dict[str, float]:
    """Plays user_b with File memory through the PettingZoo environment; the planned PA acts from outside.

    The reader chooses the same at every reset, so all but the first timeline find their calls made before; "random"
    walks another way each time. ``cold_s`` is the first timeline of the process, which also reads data and weights.
    """
    import numpy as np

    from mempa_gym.envs import timeline_v0
    from mempa_gym.envs.actions import encode
    from mempa_gym.factories.names import make_agent

    env = timeline_v0.env(persona="user_b", memory="file")
    policy = make_agent(agent)
    rng = np.random.default_rng(0)
    steps = episodes = 0
    elapsed = cold = 0.0
    while elapsed < seconds:
        env.reset(seed=episodes)
        engine = env.unwrapped.core.game
        told = None
        start = time.perf_counter()
        first = not cold
        while True:
            _, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            if engine.session_key != told:
                told = engine.session_key
                policy.begin_session(rng)
            env.step(encode(policy.act(engine.pa_view(with_plan=True))))
            steps += not first
        took = time.perf_counter() - start
        if first:
            cold = took
        else:
            elapsed += took
            episodes += 1
    return {
        "steps_per_s": steps / elapsed,
        "timeline_s": elapsed / episodes,
        "steps": steps / episodes,
        "cold_s": cold,
    }


def checkpoints(memory: str) -> list[float]:
    """Returns microseconds for a checkpoint and a restore: at the first session, in the middle, and after the last."""
    from mempa_gym.engine import play
    from mempa_gym.factories.names import make_agent
    from mempa_gym.runs import RunConfig, prepare

    engine = prepare(RunConfig(persona="user_b", memory=memory, repeats=1))
    policy = make_agent("reader")
    sessions = sum(slot.session is None or not slot.session.is_probe for slot in engine.timeline.slots)
    found, told = [], None
    for wanted in (1, sessions // 2, sessions):
        told = play(engine, policy, stop=lambda game, wanted=wanted: len(game.results) >= wanted, started=told)
        times = []
        for _ in range(200):
            start = time.perf_counter()
            engine.restore(engine.checkpoint())
            times.append(time.perf_counter() - start)
        found.append(sorted(times)[len(times) // 2] * 1e6)
    return found


def engine_alone(seconds: float) -> dict[str, float]:
    """Plays the same timeline without an environment around it, once a memory."""
    from mempa_gym.engine import play_out
    from mempa_gym.factories.names import make_agent
    from mempa_gym.runs import RunConfig, prepare

    found = {}
    for memory in ("full", "file"):
        runs = 0
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            play_out(prepare(RunConfig(persona="user_b", memory=memory)), make_agent("reader"))
            runs += 1
        found[f"{memory}_timeline_s"] = (time.perf_counter() - start) / runs
    return found


def connect_four(seconds: float) -> float | None:
    """Returns random play of PettingZoo's connect_four_v3 in steps a second, or None when it is not installed."""
    try:
        from pettingzoo.classic import connect_four_v3
    except ImportError:
        return None
    env = connect_four_v3.env()
    env.reset(seed=0)
    steps = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            continue
        env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
        steps += 1
    return steps / (time.perf_counter() - start)


def tic_tac_toe(seconds: float) -> float | None:
    """Returns a fixed game of TextArena's TicTacToe in steps a second, or None when it is not installed."""
    try:
        import textarena
    except ImportError:
        return None
    env = textarena.make("TicTacToe-v0")
    steps = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        env.reset(num_players=2, seed=0)
        for cell in (0, 1, 2, 4, 3, 5, 7, 6, 8):
            env.get_observation()
            done, _ = env.step(f"[{cell}]")
            steps += 1
            if done:
                break
        env.close()
    return steps / (time.perf_counter() - start)


_MEMORY = """
import resource
import mempa_gym
from mempa_gym.envs import timeline_v0
rss = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
before = rss()
env = timeline_v0.env(persona="user_b", memory="file")
env.reset(seed=0)
print(before, rss())
"""


def memory_of_one() -> tuple[float, float]:
    """Returns peak MB of a fresh process after the import and after one environment was reset."""
    out = subprocess.run([sys.executable, "-c", _MEMORY], capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]), float(out[1])


def main() -> None:
    """Prints the figures as a table, or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="half a second each")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    seconds = 0.5 if arguments.quick else 5.0
    # Peers warn about their own import paths; that is not our news.
    warnings.simplefilter("ignore")
    imported, with_env = memory_of_one()
    own, varied = ours(seconds), ours(seconds, "random")
    flat = {memory: checkpoints(memory) for memory in ("full", "file")}
    alone = engine_alone(seconds)
    peer, text_peer = connect_four(seconds), tic_tac_toe(seconds)
    figures = {
        "python": platform.python_version(),
        "timeline_v0 steps/s": own["steps_per_s"],
        "timeline_v0 seconds a timeline": own["timeline_s"],
        "timeline_v0 steps a timeline": own["steps"],
        "the first timeline of a process, seconds": own["cold_s"],
        "random choices, steps/s": varied["steps_per_s"],
        "random choices, ratio to connect_four_v3": varied["steps_per_s"] / peer if peer else None,
        **{
            f"checkpoint and restore, {memory}, {place}, microseconds": figure
            for memory, figures in flat.items()
            for place, figure in zip(("first session", "middle", "last"), figures, strict=True)
        },
        "engine alone, full, seconds a timeline": alone["full_timeline_s"],
        "engine alone, file, seconds a timeline": alone["file_timeline_s"],
        "connect_four_v3 steps/s": peer,
        "ratio to connect_four_v3": own["steps_per_s"] / peer if peer else None,
        "TextArena TicTacToe steps/s": text_peer,
        "ratio to TicTacToe": own["steps_per_s"] / text_peer if text_peer else None,
        "MB after import": imported,
        "MB of one environment on top": with_env - imported,
    }
    if arguments.json:
        print(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        text = "not installed" if value is None else f"{value:,.2f}" if isinstance(value, float) else str(value)
        print(f"{name:<58} {text:>14}")


if __name__ == "__main__":
    main()
