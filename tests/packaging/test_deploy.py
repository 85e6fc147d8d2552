"""The files of deploy/ and the workflows say what the code says: ports, variables, probes, user, times."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from support.pages import ROOT

from acr.proxy.app import create_app
from acr.settings import OTHER_VARIABLES, PREFIX, Settings

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
VARIABLES = {PREFIX + name.upper() for name in Settings.model_fields} | OTHER_VARIABLES


def load(path: str) -> Any:
    return yaml.safe_load((DEPLOY / path).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pod() -> Any:
    return load("kubernetes/deployment.yaml")["spec"]["template"]["spec"]


@pytest.fixture(scope="module")
def container(pod: Any) -> Any:
    (only,) = pod["containers"]
    return only


def paths() -> set[str]:
    """Paths that the proxy answers itself."""
    settings = Settings(upstream="http://127.0.0.1:9/v1")
    source = (ROOT / "acr" / "proxy" / "own.py").read_text(encoding="utf-8")
    create_app(settings)  # so that the settings of these files make an application at all
    return set(re.findall(r"Route\(\"([^\"]+)\"", source))


def test_every_variable_in_these_files_is_a_setting() -> None:
    files = [file for file in DEPLOY.rglob("*") if file.is_file() and file.suffix in ("", ".yaml")]
    named = {
        name for file in files for name in re.findall(r"\bACR_[A-Z_]+\b", file.read_text(encoding="utf-8"))
    }
    assert len(named) > 5
    assert named <= VARIABLES, named - VARIABLES


def test_the_values_given_load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    values = load("kubernetes/config.yaml")["data"]
    values |= dict(re.findall(r"\b(ACR_[A-Z_]+)=(\S+)", DOCKERFILE.partition("ENV PATH")[2]))
    for name, value in {**values, "ACR_API_KEY": "k"}.items():
        monkeypatch.setenv(name, value)
    settings = Settings.load()
    assert (settings.host, settings.log_format, settings.max_body_mb) == ("0.0.0.0", "json", 16.0)


def test_the_port_is_the_default_everywhere(container: Any) -> None:
    port = Settings.model_fields["port"].default
    assert f"\nEXPOSE {port}\n" in DOCKERFILE and f"http://127.0.0.1:{port}/livez" in DOCKERFILE
    assert [each["containerPort"] for each in container["ports"]] == [port]
    (service,) = load("kubernetes/service.yaml")["spec"]["ports"]
    assert (service["port"], service["targetPort"]) == (port, container["ports"][0]["name"])
    assert load("compose.yaml")["services"]["acr"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    (job,) = load("compose/prometheus.yaml")["scrape_configs"]
    assert job["static_configs"] == [{"targets": [f"acr:{port}"]}]


def test_probes_ask_what_there_is(container: Any) -> None:
    probes = [container[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")]
    known = {port["name"] for port in container["ports"]}
    assert all(probe["path"] in paths() and probe["port"] in known for probe in probes)
    (job,) = load("compose/prometheus.yaml")["scrape_configs"]
    assert job["metrics_path"] in paths()


def test_the_image_and_the_pod_run_as_the_same_user_that_is_not_root(pod: Any) -> None:
    user = re.findall(r"^USER (\d+):(\d+)$", DOCKERFILE, re.MULTILINE)
    context = pod["securityContext"]
    assert user == [(str(context["runAsUser"]), str(context["runAsGroup"]))]
    assert context["runAsUser"] > 0 and context["runAsNonRoot"] is True
    assert DOCKERFILE.rindex("USER ") < DOCKERFILE.rindex("ENTRYPOINT")


def test_the_container_may_do_as_little_as_it_needs(container: Any) -> None:
    context = container["securityContext"]
    assert context["readOnlyRootFilesystem"] is True and context["allowPrivilegeEscalation"] is False
    assert context["capabilities"] == {"drop": ["ALL"]}
    assert container["resources"]["limits"]["memory"] and container["resources"]["requests"]["cpu"]
    service = load("compose.yaml")["services"]["acr"]
    assert service["read_only"] and service["cap_drop"] == ["ALL"]


def test_running_answers_get_their_time(pod: Any, container: Any) -> None:
    patience = Settings.model_fields["shutdown_timeout"].default
    pause = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] > pause + patience
    assert int(load("compose.yaml")["services"]["acr"]["stop_grace_period"].rstrip("s")) > patience


def test_selectors_and_names_fit() -> None:
    labels = load("kubernetes/deployment.yaml")["spec"]["template"]["metadata"]["labels"]
    for file in ("deployment", "disruption"):
        assert load(f"kubernetes/{file}.yaml")["spec"]["selector"]["matchLabels"].items() <= labels.items()
    assert load("kubernetes/service.yaml")["spec"]["selector"].items() <= labels.items()
    listed = set(load("kubernetes/kustomization.yaml")["resources"])
    by_hand = {"kustomization.yaml", "migrate.yaml"}
    assert listed == {file.name for file in (DEPLOY / "kubernetes").glob("*.yaml")} - by_hand


def test_the_compose_file_has_all_services_and_shows_but_two_of_them() -> None:
    services = load("compose.yaml")["services"]
    assert set(services) == {"acr", "migrate", "redis", "postgres", "prometheus", "grafana"}
    ports = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert set(ports) == {"acr", "grafana"}
    assert all(port.startswith("127.0.0.1:") for each in ports.values() for port in each)


def test_the_compose_files_stores_are_services_that_nothing_waits_for() -> None:
    services = load("compose.yaml")["services"]
    environment = services["acr"]["environment"]
    settings = Settings(
        upstream="http://127.0.0.1:9/v1", views=environment["ACR_VIEWS"], store=environment["ACR_STORE"]
    )
    assert settings.views is not None and settings.store is not None
    addresses = [urlsplit(one.get_secret_value()) for one in (settings.views, settings.store)]
    assert [address.hostname for address in addresses] == ["redis", "postgres"]
    assert addresses[1].username == services["postgres"]["environment"]["POSTGRES_USER"]
    assert environment["PGPASSWORD"] == services["postgres"]["environment"]["POSTGRES_PASSWORD"]
    assert "depends_on" not in services["acr"]


def test_the_tables_are_made_by_the_proxys_own_image_and_address(container: Any) -> None:
    services = load("compose.yaml")["services"]
    migrate, acr = services["migrate"], services["acr"]
    assert migrate["command"] == ["traces", "migrate"] and migrate["build"] == acr["build"]
    assert migrate["environment"].items() <= acr["environment"].items()
    assert migrate["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    job = load("kubernetes/migrate.yaml")
    (only,) = job["spec"]["template"]["spec"]["containers"]
    assert only["args"] == migrate["command"] and only["image"] == container["image"]
    assert job["metadata"]["name"].endswith(container["image"].split(":")[1].replace(".", "-"))
    secrets = {one["name"]: one["valueFrom"]["secretKeyRef"] for one in container["env"]}
    (address,) = only["env"]
    assert secrets["ACR_STORE"].items() >= address["valueFrom"]["secretKeyRef"].items()


def test_what_is_mounted_and_copied_is_there() -> None:
    for service in load("compose.yaml")["services"].values():
        for volume in service.get("volumes", ()):
            place = volume.split(":")[0]
            assert not place.startswith(".") or (DEPLOY / place).exists(), place
    kept = [line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().split() if line[0] == "!"]
    assert [name for name in kept if not (ROOT / name).exists()] == []
    assert json.loads((DEPLOY / "grafana" / "acr.json").read_text(encoding="utf-8"))["title"]


def test_the_image_has_all_that_the_build_reads() -> None:
    """Files that pyproject.toml names must be in the build's context."""
    kept = {line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().split() if line[0] == "!"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    needed = {*packages, "pyproject.toml", "README.md", "LICENSE", "constraints.txt"}
    assert needed <= kept


@pytest.mark.parametrize("name", ["ci", "release"])
def test_workflows_are_pinned_and_call_what_there_is(name: str) -> None:
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    used = re.findall(r"uses: (\S+)", text)
    assert used and all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", each) for each in used)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"run: make (\w+)", text):
        assert f"\n{target}: " in makefile, target
    assert "run: .ci/run" in text and (ROOT / ".ci" / "run").stat().st_mode & 0o100


def test_only_publishing_may_name_itself_to_others() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    trusted = {name for name, job in workflow["jobs"].items() if "id-token" in job["permissions"]}
    assert trusted == {"attest", "publish"}
    assert workflow["jobs"]["publish"]["needs"] == "attest"
    assert set(workflow["jobs"]["attest"]["needs"]) == {"test", "sbom"}
