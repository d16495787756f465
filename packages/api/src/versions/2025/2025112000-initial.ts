import {
  type Dated,
  enumeration,
  object,
  orNull,
  partsOf,
  ref,
  reshaped,
  type Schema,
  type TypeChange,
  undescribed,
  without,
} from '../dated.ts'

const quantiles = ['p50', 'p90', 'p99']

/** Quantiles were estimators, of which a number tells only the result: what they are made of is not kept. */
const withEstimators: TypeChange = {
  schema: (newer) =>
    reshaped(
      newer,
      quantiles,
      Object.fromEntries(quantiles.map((name) => [name, orNull(ref('Quantile'))])),
      quantiles,
    ),
  down: (newer) => ({ ...newer, ...Object.fromEntries(quantiles.map((name) => [name, null])) }),
}

/** The first dated version, and how it differs from the edition of August 2025. */
export const initial: Dated = {
  version: 2025112000,
  types: {
    AuditLogEntryActor: {
      schema: (newer) => ({
        ...newer,
        oneOf: (newer['oneOf'] as readonly Schema[]).filter((one) => !isScim(one)),
      }),
      down: (actor) =>
        actor['kind'] === 'scim' ? { kind: 'user_builtin', user_builtin_id: externalAuthentication } : actor,
    },
    Disk: without('disk_type'),
    Distributiondouble: withEstimators,
    Distributionint64: withEstimators,
    Instance: without('cpu_platform'),
    InstanceCreate: without('cpu_platform', 'multicast_groups'),
    InstanceUpdate: without('cpu_platform', 'multicast_groups'),
    IpPool: without('ip_version', 'pool_type'),
    IpPoolCreate: without('ip_version', 'pool_type'),
    IpPoolUtilization: {
      schema: () => object({ ipv4: ref('Ipv4Utilization'), ipv6: ref('Ipv6Utilization') }),
      down: ({ ipv4, ipv6 }) => ({ ipv4, ipv6 }),
    },
    ProjectRole: undescribed('limited_collaborator'),
    Silo: without('admin_group_name'),
    // Its users sign in with SAML, too.
    SiloIdentityMode: enumeration(['saml_jit', 'local_only'], (mode) =>
      mode === 'saml_scim' ? 'saml_jit' : mode,
    ),
    SiloRole: undescribed('limited_collaborator'),
  },
}

/** The built-in user for what identity providers do, as which that version knows the clients of SCIM. */
const externalAuthentication = '001de000-05e4-4000-8000-000000000003'

const isScim = (variant: Schema): boolean => partsOf(variant).properties['kind']?.['const'] === 'scim'
