/**
 * The parameter that names one object of a kind, in paths and queries. A read that names another object than the one
 * that changed is not affected by the change.
 */
export const selectorOf: Readonly<Record<string, string>> = {
  project: 'project',
  instance: 'instance',
  disk: 'disk',
  snapshot: 'snapshot',
  image: 'image',
  'image-upload': 'upload',
  vpc: 'vpc',
  'vpc-subnet': 'subnet',
  'vpc-router': 'router',
  'router-route': 'route',
  'internet-gateway': 'gateway',
  'instance-network-interface': 'interface',
  'instance-action': 'action',
  'floating-ip': 'floating_ip',
  'affinity-group': 'affinity_group',
  'anti-affinity-group': 'anti_affinity_group',
  'ip-pool': 'pool',
  'ssh-key': 'ssh_key',
  'saml-identity-provider': 'provider',
  'silo-user': 'user_id',
  'silo-group': 'group_id',
  certificate: 'certificate',
  silo: 'silo',
}
