"""Makes wheels that carry the edict program: python3 wheels.py PROGRAMS OUT

PROGRAMS has edict-OS-ARCH[.exe] as `make release` builds them; for each there is a wheel, and one without a program for all other
platforms. Nothing but the standard library is needed. The same files give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path
from typing import Dict, List, Tuple

HERE = Path(__file__).parent

PLATFORMS = {
    # The program is static: it runs with any C library.
    "linux-amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
    "windows-arm64": "win_arm64",
}

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip file knows


def project() -> Dict[str, str]:
    """What METADATA needs of pyproject.toml, which has it one to a line."""
    text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    found = dict(re.findall(r'^(name|version|description|license|requires-python) = "(.*)"$', text, re.M))
    found["dependencies"] = "".join(f"Requires-Dist: {d}\n" for d in names(text, "dependencies"))
    extras = text.partition("[project.optional-dependencies]\n")[2].partition("\n\n")[0]
    for extra in re.findall(r"^(\w+) = ", extras, re.M):
        found["dependencies"] += f"Provides-Extra: {extra}\n"
        found["dependencies"] += "".join(f"Requires-Dist: {d}; extra == '{extra}'\n" for d in names(extras, extra))
    return found


def names(text: str, key: str) -> List[str]:
    listed = re.search(rf"^{key} = \[(.*)\]$", text, re.M)
    assert listed is not None, key
    return re.findall(r'"([^"]*)"', listed.group(1))


def wheel(out: Path, tag: str, program: "Path | None") -> Path:
    about = project()
    base = f"{about['name'].replace('-', '_')}-{about['version']}"
    info = f"{base}.dist-info"
    files: List[Tuple[str, bytes, int]] = []
    for path in sorted((HERE / "src" / "edict_client").glob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files.append((f"edict_client/{path.name}", path.read_bytes(), 0o644))
    if program is not None:
        name = "edict.exe" if program.suffix == ".exe" else "edict"
        files.append((f"{base}.data/scripts/{name}", program.read_bytes(), 0o755))
    metadata = (
        f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\nSummary: {about['description']}\nLicense: {about['license']}\n"
        f"Requires-Python: {about['requires-python']}\nDescription-Content-Type: text/markdown\n{about['dependencies']}\n"
    )
    files.append((f"{info}/METADATA", metadata.encode() + (HERE / "README.md").read_bytes(), 0o644))
    tags = "".join(f"Tag: py3-none-{one}\n" for one in tag.split("."))
    pure = "false" if program else "true"
    files.append((f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: edict\nRoot-Is-Purelib: {pure}\n{tags}".encode(), 0o644))
    files.append((f"{info}/licenses/LICENSE", (HERE.parent.parent / "LICENSE").read_bytes(), 0o644))
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data, _ in files) + f"{info}/RECORD,,\n"
    files.append((f"{info}/RECORD", record.encode(), 0o644))
    path = out / f"{base}-py3-none-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = (0o100000 | mode) << 16
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return path


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main(programs: Path, out: Path) -> int:
    out.mkdir(parents=True, exist_ok=True)
    made = [wheel(out, "any", None)]
    for name, tag in PLATFORMS.items():
        found = [p for p in (programs / f"edict-{name}", programs / f"edict-{name}.exe") if p.is_file()]
        if found:
            made.append(wheel(out, tag, found[0]))
        else:
            print(f"no wheel for {name}: {programs / ('edict-' + name)} is not there (make release)", file=sys.stderr)
    for path in made:
        print(f"{path.stat().st_size / 1e6:6.1f} MB  {path}")
    return 0 if len(made) > 1 else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
