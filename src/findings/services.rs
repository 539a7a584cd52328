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
///
/// # Errors
/// When the other work that it would finish was not surveyed yet.
pub(crate) fn repairs(backend: &Backend<'_>, restored: &str, facts: &Facts<'_>) -> Known<Vec<Remedy>> {
    let mut remedies = Vec::new();
    if let Some(workload) = backend.scaled_to_zero.filter(|workload| workload.resource.id.plural != "daemonsets") {
        return Ok(vec![server(workload, restored, facts)?]);
    }
    if backend.starting {
        let title = "wait a minute and check again: its pod is new and may still be starting";
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
///
/// # Errors
/// When the other work that it would finish was not surveyed yet.
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
    let port_of = || format!("kubectl get {}{} -o yaml", one("service", &service.name), in_namespace(service));
    Some(match kind.as_str() {
        // A request has no repair of its own: the rule that made it gives the advice.
        _ if link.object.api_version.is_empty() && kind.as_str() == kind.to_uppercase() => return None,
        "Discovery" => return None,
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
fn in_the_cloud(trouble: &Trouble) -> Vec<String> {
    match trouble.what {
        Matter::Gone | Matter::NotReady => Vec::new(),
        Matter::NoRoute => vec![routes(trouble), permissions(trouble), firewall(trouble)],
        Matter::DoesNotShow => vec![firewall(trouble), routes(trouble), permissions(trouble)],
        Matter::NoPermission => vec![permissions(trouble), routes(trouble)],
    }
}

fn routes(trouble: &Trouble) -> String {
    let machine = trouble.machine.as_deref().unwrap_or("INSTANCE");
    let cidr = trouble.pod_cidr.as_deref().unwrap_or("POD_CIDR");
    let node = &trouble.node.name;
    match trouble.provider {
        Provider::Alibaba => format!(
            "check the route in the VPC (ACK): aliyun vpc DescribeRouteEntryList --RouteTableId TABLE \
             --DestinationCidrBlock {cidr}; its next hop must be instance {machine} (with Terway there is none)"
        ),
        Provider::Amazon => format!(
            "check the route to the pods (EKS): aws ec2 describe-instances --instance-ids {machine} --query \
             'Reservations[].Instances[].NetworkInterfaces'; without the VPC CNI: aws ec2 describe-route-tables \
             --filters Name=route.destination-cidr-block,Values={cidr}"
        ),
        Provider::Google => format!(
            "check the route in the VPC (GKE): gcloud compute routes list --filter=destRange={cidr}; in a VPC-native \
             cluster: gcloud compute instances describe {node} --format='value(networkInterfaces[].aliasIpRanges)'"
        ),
        Provider::Azure => format!(
            "check the route (AKS): az network route-table list -g NODE_RESOURCE_GROUP; one must lead to {cidr} via \
             the address of {node} (with Azure CNI there is none)"
        ),
        Provider::Other => format!(
            "check the route to {cidr}, the pods of Node {node}, where the API server runs: ip route get POD_IP; \
             in a cloud, in the route table of its network"
        ),
    }
}

fn permissions(trouble: &Trouble) -> String {
    match trouble.provider {
        Provider::Alibaba => "check what the cloud-controller-manager may do (ACK): aliyun ram ListPoliciesForRole \
             --RoleName AliyunCSManagedKubernetesRole; it needs vpc:CreateRouteEntry, vpc:DeleteRouteEntry and \
             vpc:DescribeRouteEntryList"
            .into(),
        Provider::Amazon => "check what the node's role may do (EKS): aws iam list-attached-role-policies --role-name \
             NODE_ROLE; the VPC CNI needs AmazonEKS_CNI_Policy, a route controller ec2:CreateRoute"
            .into(),
        Provider::Google => "check what the node's and the cluster's service accounts may do (GKE): gcloud projects \
             get-iam-policy PROJECT --flatten=bindings --filter=bindings.role:roles/container.serviceAgent"
            .into(),
        Provider::Azure => "check what the cluster's identity may do (AKS): az role assignment list --all --assignee \
             IDENTITY; it needs Network Contributor on the route table"
            .into(),
        Provider::Other => {
            "check what the identity of the cloud-controller-manager may do: it has to create and delete \
             routes"
                .into()
        }
    }
}

fn firewall(trouble: &Trouble) -> String {
    match trouble.provider {
        Provider::Alibaba => format!(
            "check the security group of the node (ACK): aliyun ecs DescribeSecurityGroupAttribute --SecurityGroupId \
             GROUP; it must let {} in",
            trouble.pod_cidr.as_deref().unwrap_or("the range of the pods")
        ),
        Provider::Amazon => "check the security groups (EKS): aws eks describe-cluster --name CLUSTER --query \
             cluster.resourcesVpcConfig; the nodes must let the cluster's group in on the port of the pod"
            .into(),
        Provider::Google => "check the firewall (GKE): gcloud compute firewall-rules list --filter=name~gke-; the control \
             plane of a private cluster may reach nodes on 443 and 10250 alone unless a rule allows the port of the pod"
            .into(),
        Provider::Azure => {
            "check the network security group (AKS): az network nsg list -g NODE_RESOURCE_GROUP; kubectl -n kube-system \
             get pods -l app=konnectivity-agent"
                .into()
        }
        Provider::Other => "check the firewall between the API server and the node, for the port of the pod".into(),
    }
}
