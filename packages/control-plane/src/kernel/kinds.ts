import type { TrackedName } from '../db/tables.ts'

/** The word for each table's rows in messages, in the change stream and in `reads` of the contract. */
export const kindOf = {
  silo: 'silo',
  silo_user: 'silo-user',
  silo_group: 'silo-group',
  certificate: 'certificate',
  project: 'project',
  vpc: 'vpc',
  vpc_router: 'vpc-router',
  router_route: 'router-route',
  vpc_subnet: 'vpc-subnet',
  vpc_firewall_rule: 'vpc-firewall-rule',
  internet_gateway: 'internet-gateway',
  internet_gateway_ip_pool: 'internet-gateway-ip-pool',
  internet_gateway_ip_address: 'internet-gateway-ip-address',
  ip_pool: 'ip-pool',
  external_ip: 'external-ip',
  ssh_key: 'ssh-key',
  saml_identity_provider: 'saml-identity-provider',
  instance: 'instance',
  network_interface: 'instance-network-interface',
  disk: 'disk',
  snapshot: 'snapshot',
  image: 'image',
  image_upload: 'image-upload',
  affinity_group: 'affinity-group',
  anti_affinity_group: 'anti-affinity-group',
  sled: 'sled',
} as const satisfies Record<TrackedName, string>

/** What a change of these is called where people see two kinds in one table. */
export function kindOfRow(table: TrackedName, row: Record<string, unknown>): string {
  return table === 'external_ip' && row.kind === 'floating' ? 'floating-ip' : kindOf[table]
}
