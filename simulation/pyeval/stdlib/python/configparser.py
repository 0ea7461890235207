import io


class Error(Exception):
    pass


class NoSectionError(Error):
    pass


_STATES = {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False}


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

    def has_option(self, section, option):
        return section in self._sections and option.lower() in self._sections[section]

    def getint(self, section, option, fallback=None):
        return int(self.get(section, option, fallback))

    def getfloat(self, section, option, fallback=None):
        return float(self.get(section, option, fallback))

    def getboolean(self, section, option, fallback=None):
        value = str(self.get(section, option, fallback)).lower()
        if value not in _STATES:
            raise ValueError(f"Not a boolean: {value}")
        return _STATES[value]

    def __getitem__(self, section):
        if section not in self._sections:
            raise KeyError(section)
        return self._sections[section]

    def __contains__(self, section):
        return section in self._sections


RawConfigParser = SafeConfigParser = ConfigParser
