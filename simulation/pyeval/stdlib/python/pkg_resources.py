# Packages ask where they are: every one is at the top of what they may read.
import os
from importlib import import_module


class DistributionNotFound(Exception):
    pass


class VersionConflict(Exception):
    pass


class Distribution:
    location = "/"
    version = "0"

    def __init__(self, name):
        self.project_name = self.key = name


def get_distribution(dist):
    return Distribution(str(dist))


def resource_filename(package_or_requirement, resource_name):
    return os.path.join(os.path.dirname(import_module(package_or_requirement).__file__), resource_name)


def resource_exists(package_or_requirement, resource_name):
    return os.path.exists(resource_filename(package_or_requirement, resource_name))


def resource_listdir(package_or_requirement, resource_name):
    return os.listdir(resource_filename(package_or_requirement, resource_name))


def resource_isdir(package_or_requirement, resource_name):
    return os.path.isdir(resource_filename(package_or_requirement, resource_name))


def resource_string(package_or_requirement, resource_name):
    with open(resource_filename(package_or_requirement, resource_name), "rb") as file:
        return file.read()


def resource_stream(package_or_requirement, resource_name):
    return open(resource_filename(package_or_requirement, resource_name), "rb")
