/** Kinds whose objects can be seen as they were. */
export const pastKinds = [
  'affinity-group',
  'anti-affinity-group',
  'disk',
  'external-subnet',
  'floating-ip',
  'image',
  'instance',
  'instance-network-interface',
  'internet-gateway',
  'ip-pool',
  'project',
  'router-route',
  'silo',
  'snapshot',
  'vpc',
  'vpc-firewall-rule',
  'vpc-router',
  'vpc-subnet',
] as const
export type PastKind = (typeof pastKinds)[number]

export const isPastKind = (kind: string): kind is PastKind => (pastKinds as readonly string[]).includes(kind)

/** Kinds whose lists can be seen as they were. */
export const pastListKinds = ['instance', 'disk', 'vpc-firewall-rule'] as const
export type PastListKind = (typeof pastListKinds)[number]

/** The maximum page of a list, whatever the requested limit. */
export const pastPage = 100

/** Objects deleted since a moment that its list can bring back; an earlier moment is refused. */
export const pastDeletedMax = 5000

export const pastSorts = ['name_ascending', 'name_descending'] as const
