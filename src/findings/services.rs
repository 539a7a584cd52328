//! Remedies for a Service behind which nothing answers: for aggregated APIs and for webhooks
//! alike.

use crate::facts::{Facts, Known};
use crate::findings::start::server;
use crate::kubernetes::mentions::hosts::UnansweredService;
use crate::kubernetes::namespaces::is_closed;
use crate::kubernetes::services::{self, Backend, Matter, Provider, ServiceName, Trouble};
use crate::plan::{alone, in_namespace, one, quote};
use crate::report::{Link, Named, Remedy, Sentence};

/// The remedies that bring back the backend of a Service, nearest to the broken link. `restored` is the
/// consequence once it answers.
pub(crate) fn repairs(backend: &Backend<'_>, restored: &str, facts: &Facts<'_>) -> Known<Vec<Remedy>> {
    let mut remedies = Vec::new();
    if let Some(workload) = backend.scaled_to_zero.filter(|workload| workload.resource.id.plural != "daemonsets") {
        return Ok(vec![server(workload, restored, facts)?]);
    }
    if backend.starting {
        let title = "wait 1 minute and check again: its pod is new and may still be starting";
        remedies.push(Remedy::manual(title, restored));
    }
    if let Some(title) = backend.broken().and_then(|link| repair(link, backend, facts)) {
        remedies.push(Remedy::manual(title, restored));
    }
    if let Some(trouble) = &backend.trouble {
        remedies.extend(in_the_cloud(trouble).into_iter().map(|title| Remedy::manual(title, "only reads")));
    }
    Ok(remedies)
}

/// Like [`repairs`], for a Service that an object calls.
pub(crate) fn repairs_of(unserved: &UnansweredService, restored: &str, facts: &Facts<'_>) -> Known<Vec<Remedy>> {
    let UnansweredService { service, port, .. } = unserved;
    let namespace = service.namespace.as_deref().unwrap_or_default();
    let name = ServiceName { namespace, name: &service.name, port: *port, registration: None };
    repairs(&services::of(&name, facts)?, restored, facts)
}

/// The advice and the command for one broken link.
fn repair(link: &Link, backend: &Backend<'_>, facts: &Facts<'_>) -> Option<Sentence> {
    let Named { kind, name, .. } = &*link.object;
    let place = in_namespace(&link.object);
    let service = &backend.service;
    let is_going = |name: &str| is_closed(name, facts);
    let port_of = || format!("kubectl get {}{} -o yaml", one("service", &service.name), in_namespace(service));
    Some(match kind.as_str() {
        // A request has no repair of its own: the rule that made it gives the advice.
        _ if link.object.api_version.is_empty() && kind.as_str() == kind.to_uppercase() => return None,
        "Discovery" => return None,
        // A Service that the server calls comes back with its namespace, which waits for this server.
        "Service" if link.object.name != service.name && link.object.namespace.as_deref().is_some_and(is_going) => {
            return None;
        }
        "Service" if link.object.missing && service.namespace.as_deref().is_some_and(|name| is_closed(name, facts)) => {
            format!("install the server behind {service} again, in another namespace: this one is terminating").into()
        }
        "Service" if link.object.missing => {
            format!("restore {} by installing its product again: it {}", link.object, link.text).into()
        }
        "Service" => Sentence::from(format!("fix the ports of {}, which {}", link.object, link.text)).by(port_of()),
        "EndpointSlice" => Sentence::from(format!("check why {service} has no pods"))
            .by(format_args!("kubectl get service,endpointslices,pods{}", in_namespace(service))),
        "Pod" => Sentence::from(format!("check {}", link.object))
            .by(format_args!("kubectl describe {}{place}", one("pod", name)))
            .by(format_args!("kubectl logs {}{place} --all-containers", alone("pod", name))),
        "Node" if link.object.missing => {
            Sentence::from(format!("recreate the pods of {service} on another node, as Node {name} no longer exists"))
                .by(format_args!("kubectl get pods{} -o wide", in_namespace(service)))
        }
        "Node" => Sentence::from(format!("bring back Node {name} or move the pods off it"))
            .by(format_args!("kubectl describe {}", one("node", name)))
            .aside("on the node")
            .by("journalctl -u kubelet"),
        "Namespace" => {
            format!("install the server behind {service} again, in another namespace: {} {}", link.object, link.text)
                .into()
        }
        "RouteController" => Sentence::from("check the route controller")
            .by("kubectl -n kube-system get lease,pods | grep cloud-controller-manager")
            .by("kubectl -n default get events --field-selector reason=FailedToCreateRoute"),
        "Permission" => format!("give the identity of the cloud-controller-manager the permission {name}").into(),
        "CloudAPI" => format!("find out why the API {name} refuses a new route: it {}", link.text).into(),
        _ => Sentence::from(format!("check {}", link.object))
            .by(format_args!("kubectl describe {}{place}", quote(&link.object.kubectl()))),
    })
}

/// The exact next checks in the cloud, for what the cluster does not show.
fn in_the_cloud(trouble: &Trouble) -> Vec<Sentence> {
    match trouble.what {
        Matter::Gone | Matter::NotReady => Vec::new(),
        Matter::NoRoute => vec![routes(trouble), permissions(trouble), firewall(trouble)],
        Matter::DoesNotShow => vec![firewall(trouble), routes(trouble), permissions(trouble)],
        Matter::NoPermission => vec![permissions(trouble), routes(trouble)],
    }
}

fn routes(trouble: &Trouble) -> Sentence {
    let machine = trouble.machine.as_deref().unwrap_or("INSTANCE");
    let cidr = trouble.pod_cidr.as_deref().unwrap_or("POD_CIDR");
    let node = &trouble.node.name;
    match trouble.provider {
        Provider::Alibaba => Sentence::from("check the route in the VPC (ACK)")
            .by(format_args!(
                "aliyun vpc DescribeRouteEntryList --RouteTableId TABLE --DestinationCidrBlock {}",
                quote(cidr)
            ))
            .aside(format!("the next hop must be instance {machine} (with Terway there is no route)")),
        Provider::Amazon => Sentence::from("check the route to the pods (EKS)")
            .by(format_args!(
                "aws ec2 describe-instances --instance-ids {} --query 'Reservations[].Instances[].NetworkInterfaces'",
                quote(machine)
            ))
            .aside("without the VPC CNI")
            .by(format_args!(
                "aws ec2 describe-route-tables --filters {}",
                quote(&format!("Name=route.destination-cidr-block,Values={cidr}"))
            )),
        Provider::Google => Sentence::from("check the route in the VPC (GKE)")
            .by(format_args!("gcloud compute routes list {}", quote(&format!("--filter=destRange={cidr}"))))
            .aside("in a VPC-native cluster")
            .by(format_args!(
                "gcloud compute instances describe {} --format='value(networkInterfaces[].aliasIpRanges)'",
                quote(node)
            )),
        Provider::Azure => Sentence::from("check the route (AKS)")
            .by("az network route-table list -g NODE_RESOURCE_GROUP")
            .aside(format!("a route must lead to {cidr} via the address of {node} (with Azure CNI there is no route)")),
        Provider::Other => Sentence::from(format!("check the route to {cidr}, the pods of Node {node}"))
            .aside("where the API server runs")
            .by("ip route get POD_IP")
            .aside("in a cloud, check the route table of its network, too"),
    }
}

fn permissions(trouble: &Trouble) -> Sentence {
    match trouble.provider {
        Provider::Alibaba => Sentence::from("check what the cloud-controller-manager may do (ACK)")
            .by("aliyun ram ListPoliciesForRole --RoleName AliyunCSManagedKubernetesRole")
            .aside("it needs vpc:CreateRouteEntry, vpc:DeleteRouteEntry and vpc:DescribeRouteEntryList"),
        Provider::Amazon => Sentence::from("check what the node's role may do (EKS)")
            .by("aws iam list-attached-role-policies --role-name NODE_ROLE")
            .aside("the VPC CNI needs AmazonEKS_CNI_Policy, a route controller ec2:CreateRoute"),
        Provider::Google => Sentence::from("check what the node's and the cluster's service accounts may do (GKE)")
            .by("gcloud projects get-iam-policy PROJECT --flatten=bindings \
             --filter=bindings.role:roles/container.serviceAgent"),
        Provider::Azure => Sentence::from("check what the cluster's identity may do (AKS)")
            .by("az role assignment list --all --assignee IDENTITY")
            .aside("it needs Network Contributor on the route table"),
        Provider::Other => {
            "check what the identity of the cloud-controller-manager may do: it has to create and delete \
             routes"
                .into()
        }
    }
}

fn firewall(trouble: &Trouble) -> Sentence {
    match trouble.provider {
        Provider::Alibaba => Sentence::from("check the security group of the node (ACK)")
            .by("aliyun ecs DescribeSecurityGroupAttribute --SecurityGroupId GROUP")
            .aside(format!(
                "the security group must let {} in",
                trouble.pod_cidr.as_deref().unwrap_or("the range of the pods")
            )),
        Provider::Amazon => Sentence::from("check the security groups (EKS)")
            .by("aws eks describe-cluster --name CLUSTER --query cluster.resourcesVpcConfig")
            .aside("the nodes must let the cluster's group in on the port of the pod"),
        Provider::Google => Sentence::from("check the firewall (GKE)")
            .by("gcloud compute firewall-rules list --filter=name~gke-")
            .aside(
                "the control plane of a private cluster may reach nodes on 443 and 10250 alone unless a rule allows \
                 the port of the pod",
            ),
        Provider::Azure => Sentence::from("check the network security group (AKS)")
            .by("az network nsg list -g NODE_RESOURCE_GROUP")
            .by("kubectl -n kube-system get pods -l app=konnectivity-agent"),
        Provider::Other => "check the firewall between the API server and the node, for the port of the pod".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Below, Ref};

    #[test]
    fn commands_of_clouds_are_whole_and_quoted() {
        let node = Ref::from(Named { kind: "Node".into(), name: "n-1".into(), ..Named::default() });
        for provider in [Provider::Alibaba, Provider::Amazon, Provider::Google, Provider::Azure, Provider::Other] {
            let trouble = Trouble {
                what: Matter::NoRoute,
                provider,
                node: node.clone(),
                machine: Some("i-1; reboot".into()),
                pod_cidr: Some("10.0.1.0/24 $(reboot)".into()),
            };
            for sentence in in_the_cloud(&trouble) {
                let what = sentence.without_command().unwrap_or_default().to_string();
                assert!([": ", "aws ", "gcloud "].iter().all(|words| !what.contains(words)), "{what}");
                for piece in sentence.below() {
                    let Below::Command(command) = piece else { continue };
                    let outside: String = command.split('\'').step_by(2).collect();
                    assert!(!outside.contains([';', '$']), "{command}");
                }
            }
        }
    }
}
