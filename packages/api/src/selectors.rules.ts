/**
 * The parameter that names an object of each kind, in paths and queries. A change to one object does not
 * affect reads that name another.
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
  rack: 'rack_id',
  sled: 'sled_id',
  'sled-drain': 'drain_id',
  'physical-disk': 'disk_id',
  switch: 'switch_id',
  'ssh-key': 'ssh_key',
  'saml-identity-provider': 'provider',
  'silo-user': 'user_id',
  'silo-group': 'group_id',
  certificate: 'certificate',
  silo: 'silo',
}
