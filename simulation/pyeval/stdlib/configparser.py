import io


class Error(Exception):
    pass


class NoSectionError(Error):
    pass


class ConfigParser:
    def __init__(self, **_):
        self._sections = {}

    def read(self, filenames, encoding=None):
        read = []
        for name in [filenames] if isinstance(filenames, str) else filenames:
            try:
                self._parse(io.open(str(name), encoding=encoding).read())
                read.append(name)
            except OSError:
                pass
        return read

    def read_string(self, text):
        self._parse(text)

    def _parse(self, text):
        section = None
        for line in text.split("\n"):
            line = line.strip()
            if not line or line[0] in "#;":
                continue
            if line[0] == "[":
                section = self._sections.setdefault(line.strip("[]"), {})
                continue
            key, _, value = line.replace(":", "=", 1).partition("=") if "=" not in line else line.partition("=")
            section[key.strip().lower()] = value.strip()

    def sections(self):
        return list(self._sections)

    def has_section(self, section):
        return section in self._sections

    def options(self, section):
        return list(self[section])

    def items(self, section):
        return list(self[section].items())

    def get(self, section, option, fallback=None):
        if section not in self._sections:
            if fallback is not None:
                return fallback
            raise NoSectionError(f"No section: {section!r}")
        return self._sections[section].get(option.lower(), fallback)

    def __getitem__(self, section):
        if section not in self._sections:
            raise KeyError(section)
        return self._sections[section]

    def __contains__(self, section):
        return section in self._sections


RawConfigParser = SafeConfigParser = ConfigParser
