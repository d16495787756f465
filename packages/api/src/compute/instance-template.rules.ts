/**
 * What a template keeps for new instances, each of which its users may change or not. Names, descriptions, SSH keys,
 * existing disks and floating IPs belong to one instance or one user, and are never kept.
 */
export const templateFields = [
  'hardware',
  'boot_source',
  'boot_size',
  'disks',
  'network_interfaces',
  'external_ips',
  'user_data',
  'auto_restart_policy',
  'cpu_platform',
  'anti_affinity_groups',
  'start',
  'tags',
] as const
export type TemplateField = (typeof templateFields)[number]

/** What users call each of them. */
export const templateFieldWords: Readonly<Record<TemplateField, string>> = {
  hardware: 'Hardware',
  boot_source: 'Boot disk source',
  boot_size: 'Boot disk size',
  disks: 'Additional disks',
  network_interfaces: 'Network interfaces',
  external_ips: 'External IPs',
  user_data: 'User data',
  auto_restart_policy: 'Auto-restart policy',
  cpu_platform: 'CPU platform',
  anti_affinity_groups: 'Anti-affinity groups',
  start: 'Start',
  tags: 'Tags',
}

/** Objects that a template can refer to. */
export const referenceKinds = [
  'image',
  'snapshot',
  'vpc',
  'vpc-subnet',
  'ip-pool',
  'anti-affinity-group',
] as const
export type ReferenceKind = (typeof referenceKinds)[number]

/** Why a template of the silo refuses what belongs to one project. */
export const onlyInProject = {
  image: 'an image of a project cannot be in a template of the silo',
  snapshot: 'a snapshot belongs to a project and cannot be in a template of the silo',
  interfaces: 'a VPC belongs to a project and cannot be in a template of the silo',
  groups: 'an anti-affinity group belongs to a project and cannot be in a template of the silo',
} as const
