package cli

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// manifest has what is checked of a Kubernetes object.
type manifest struct {
	Kind string
	Spec struct {
		Ingress []struct {
			From  []any
			Ports []struct{ Port string }
		}
		Template struct {
			Spec struct {
				AutomountServiceAccountToken *bool `yaml:"automountServiceAccountToken"`
				SecurityContext              struct {
					RunAsNonRoot bool `yaml:"runAsNonRoot"`
				} `yaml:"securityContext"`
				Containers []struct {
					Env []struct{ Name, Value string }

					SecurityContext struct {
						AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
						ReadOnlyRootFilesystem   bool  `yaml:"readOnlyRootFilesystem"`
					} `yaml:"securityContext"`
					StartupProbe   *probe `yaml:"startupProbe"`
					ReadinessProbe *probe `yaml:"readinessProbe"`
					LivenessProbe  *probe `yaml:"livenessProbe"`
				}
			}
		}
	}
}

type probe struct {
	HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
}

// readManifests returns the objects of the Kubernetes manifest by kind.
func readManifests(t *testing.T) map[string]manifest {
	t.Helper()
	file, err := os.Open("../deploy/kubernetes/edict.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := map[string]manifest{}
	for decoder := yaml.NewDecoder(file); ; {
		var m manifest
		if err := decoder.Decode(&m); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[m.Kind] = m
	}
}

// TestKubernetesNetwork: the server trusts the ingress controller's X-Forwarded-For, and the ports with and without tokens have different peers.
func TestKubernetesNetwork(t *testing.T) {
	all := readManifests(t)
	settings := map[string]string{}
	for _, variable := range all["Deployment"].Spec.Template.Spec.Containers[0].Env {
		settings[variable.Name] = variable.Value
	}
	if proxies, err := parseNetworks("--proxies", strings.Split(settings["EDICT_PROXIES"], ",")); err != nil || len(proxies) == 0 {
		t.Errorf("EDICT_PROXIES %q: %v", settings["EDICT_PROXIES"], err)
	}
	peers := map[string]int{}
	for _, rule := range all["NetworkPolicy"].Spec.Ingress {
		for _, port := range rule.Ports {
			peers[port.Port] += len(rule.From)
		}
		if len(rule.From) == 0 || len(rule.Ports) != 1 {
			t.Errorf("a rule admits everybody, or to several ports: %+v", rule)
		}
	}
	if peers["http"] == 0 || peers["metrics"] == 0 {
		t.Errorf("peers by port: %v", peers)
	}
}

// TestKubernetesPod: the container has no right that it does not need, and probes that find it.
func TestKubernetesPod(t *testing.T) {
	pod := readManifests(t)["Deployment"].Spec.Template.Spec
	c := pod.Containers[0]
	rights := c.SecurityContext
	if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken || !pod.SecurityContext.RunAsNonRoot ||
		rights.AllowPrivilegeEscalation == nil || *rights.AllowPrivilegeEscalation || !rights.ReadOnlyRootFilesystem {
		t.Errorf("rights: %+v, %+v", pod.SecurityContext, rights)
	}
	if c.StartupProbe == nil || c.ReadinessProbe == nil || c.LivenessProbe == nil ||
		c.ReadinessProbe.HTTPGet.Path != "/readyz" || c.LivenessProbe.HTTPGet.Path != "/healthz" || c.LivenessProbe.HTTPGet.Port != "http" {
		t.Errorf("probes: %+v %+v %+v", c.StartupProbe, c.ReadinessProbe, c.LivenessProbe)
	}
}

// TestDeployedProxies: a reverse proxy in front of the packaged service and of the containers is trusted.
func TestDeployedProxies(t *testing.T) {
	for file, setting := range map[string]string{"edict.yaml": "proxies: [", "compose.yaml": "EDICT_PROXIES: "} {
		text, err := os.ReadFile("../deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, found := strings.Cut(string(text), setting)
		line, _, _ := strings.Cut(rest, "\n")
		if _, err := parseNetworks("--proxies", strings.Split(strings.NewReplacer(`"`, "", "]", "", "}", "", " ", "").Replace(line), ",")); !found || err != nil {
			t.Errorf("%s: %q %v", file, line, err)
		}
	}
}
