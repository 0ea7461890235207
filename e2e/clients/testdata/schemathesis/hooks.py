"""What schemathesis has to know about this server that an OpenAPI document cannot say."""

import os

import schemathesis

# These end the sessions or the account of a user, or change what it may do.
ENDING = {"DELETE /auth/users/{id}", "PATCH /auth/users/{id}", "PUT /auth/users/{id}/password", "POST /auth/users/{id}/reset"}
KEPT = os.environ["EDICT_KEPT"].split(",")

# Members of these may be null, which is as if they were absent, and flags may be 0 and 1. The Swagger document of /api/1 comes from the same
# schemas, and Swagger has no null.
LENIENT = {"POST /calculate", "POST /trace", "POST /api/1/calculate", "POST /api/1/simulate", "POST /api/2/why"}
FLAGS = ("trace", "validate", "labels", "time", "intermediate_variables")


@schemathesis.hook
def before_call(context, case, kwargs):
    # filter_case does not see ids that schemathesis takes from earlier answers.
    if case.operation.label in ENDING and case.path_parameters.get("id") in KEPT:
        case.path_parameters["id"] = "bystander"
    # A full name says whose channel it is: it takes no personal.
    name = str(case.path_parameters.get("channel_name", "") if case.path_parameters else "")
    if ("#" in name or "%23" in name) and case.query:
        case.query.pop("personal", None)
    case.body = whole(case.body)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    # The schema of a stream is that of its text; schemathesis holds each decoded event against it.
    if failure.title.startswith("SSE event"):
        return False
    return not (failure.title == "Schema-violating request accepted" and case.operation.label in LENIENT and lenient(case.body))


def whole(value):
    """JSON Schema takes 1.0 for an integer; the server wants it written as 1."""
    if isinstance(value, dict):
        return {k: whole(v) for k, v in value.items()}
    if isinstance(value, list):
        return [whole(v) for v in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def lenient(body):
    return has_null(body) or isinstance(body, dict) and any(type(body.get(flag)) is int for flag in FLAGS)


def has_null(value):
    if isinstance(value, dict):
        return any(has_null(v) for v in value.values())
    if isinstance(value, list):
        return any(has_null(v) for v in value)
    return value is None
