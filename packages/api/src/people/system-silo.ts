import { z } from 'zod'
import { filteredQuery } from '../base/filtered-query.ts'
import { KiB } from '../base/bytes.rules.ts'
import { certificateLimits } from './certificate.rules.ts'
import { CertificateCreate } from './certificate.ts'
import { del, family, get, post, put } from '../op.ts'
import { FleetRole, FleetRolePolicy, SiloRole, SiloRolePolicy } from './policy.ts'
import { fleetRoleOrder } from '../base/roles.rules.ts'
import {
  ByteCount,
  identityCreate,
  IdPaging,
  idSorts,
  list,
  maybe,
  Name,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  text,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { SiloIpPoolPage, VirtualResourceCounts } from './silo.ts'
import { externalIdMaxLength, groupNameProblem, groupNameTooLong, identityModes } from './silo.rules.ts'

const IdentityMode = named('SiloIdentityMode', z.enum(identityModes))
/** Roles may be repeated, within reason. */
const fleetRolesMax = 16
/** Without duplicates, strongest first, whatever the input. */
const FleetRoles = z
  .array(FleetRole)
  .max(fleetRolesMax)
  .overwrite((given) => fleetRoleOrder.filter((role) => given.includes(role)))
  .meta({ uniqueItems: true })
/** The fleet roles mapped from each silo role. */
const MappedFleetRoles = z.partialRecord(SiloRole, FleetRoles)

export const Silo = named(
  'Silo',
  withIdentity({
    discoverable: z.boolean(),
    identity_mode: IdentityMode,
    mapped_fleet_roles: MappedFleetRoles,
    /** The group of the identity provider that administers the silo. */
    admin_group_name: z.string().nullish(),
  }),
)
export type Silo = z.infer<typeof Silo>

const quotas = { cpus: z.number().int().nonnegative(), memory: ByteCount, storage: ByteCount }
export const SiloQuotas = named('SiloQuotas', z.object({ silo_id: Uuid, ...quotas }))
export type SiloQuotas = z.infer<typeof SiloQuotas>
const SiloQuotasCreate = named('SiloQuotasCreate', z.object(quotas))
export const SiloQuotasUpdate = named(
  'SiloQuotasUpdate',
  z.object({ cpus: maybe(quotas.cpus), memory: maybe(quotas.memory), storage: maybe(quotas.storage) }),
)
export type SiloQuotasUpdate = z.infer<typeof SiloQuotasUpdate>

export const SiloCreate = named(
  'SiloCreate',
  z.object({
    ...identityCreate,
    discoverable: z.boolean(),
    identity_mode: IdentityMode,
    quotas: SiloQuotasCreate,
    tls_certificates: list(CertificateCreate, certificateLimits.ofOneSilo),
    /** An admin group that is created with the silo. */
    admin_group_name: maybe(
      text(externalIdMaxLength, groupNameTooLong).superRefine((name, context) => {
        const problem = groupNameProblem(name)
        if (problem) context.addIssue({ code: 'custom', message: problem })
      }),
    ),
    mapped_fleet_roles: MappedFleetRoles.optional(),
  }),
)
export type SiloCreate = z.infer<typeof SiloCreate>

export const SiloUtilization = named(
  'SiloUtilization',
  z.object({
    silo_id: Uuid,
    silo_name: Name,
    provisioned: VirtualResourceCounts,
    /** The silo's quota. */
    allocated: VirtualResourceCounts,
  }),
)
export type SiloUtilization = z.infer<typeof SiloUtilization>

const path = z.object({ silo: NameOrId })

export const systemSiloOps = {
  ...family('system/silos', ['silo'], {
    siloList: get('/v1/system/silos', {
      summary: 'List discoverable silos',
      query: NameOrIdPaging,
      sorts: nameOrIdSorts,
      returns: pageOf('Silo', Silo),
    }),
    siloCreate: post('/v1/system/silos', {
      changes: ['silo', 'silo-quotas', 'silo-group', 'certificate', 'policy'],
      summary: 'Create a silo',
      body: SiloCreate,
      bodyMax: 512 * KiB,
      returns: Silo,
    }),
    siloView: get('/v1/system/silos/{silo}', { summary: 'Fetch a silo', path, returns: Silo }),
    siloDelete: del('/v1/system/silos/{silo}', {
      changes: [
        'silo',
        'silo-user',
        'silo-group',
        'saml-identity-provider',
        'scim-token',
        'image',
        'instance-template',
        'certificate',
        'ip-pool',
        'subnet-pool',
        'ssh-key',
        'console-session',
        'device-access-token',
        'second-factor',
      ],
      summary: 'Delete a silo without projects',
      path,
    }),
  }),
  ...family('extensions', ['silo'], {
    systemSiloList: get('/ext/v1/system/silos', {
      summary: 'List all silos, discoverable or not',
      ...filteredQuery('silo', {}, {}),
      returns: pageOf('Silo', Silo),
    }),
  }),
  ...family('system/silos', ['policy'], {
    siloPolicyView: get('/v1/system/silos/{silo}/policy', {
      summary: "Fetch a silo's policy",
      path,
      returns: SiloRolePolicy,
    }),
    siloPolicyUpdate: put('/v1/system/silos/{silo}/policy', {
      summary: "Replace a silo's policy",
      path,
      body: SiloRolePolicy,
      returns: SiloRolePolicy,
    }),
  }),
  ...family('system/silos', ['silo', 'silo-quotas'], {
    systemQuotasList: get('/v1/system/silo-quotas', {
      summary: 'List the quotas of all silos',
      noScreen: { shownBy: 'siloUtilizationList' },
      query: IdPaging,
      sorts: idSorts,
      returns: pageOf('SiloQuotas', SiloQuotas),
    }),
    siloQuotasView: get('/v1/system/silos/{silo}/quotas', {
      summary: "Fetch a silo's quotas",
      path,
      returns: SiloQuotas,
    }),
    siloQuotasUpdate: put('/v1/system/silos/{silo}/quotas', {
      changes: ['silo-quotas'],
      summary: "Change a silo's quotas",
      path,
      body: SiloQuotasUpdate,
      returns: SiloQuotas,
    }),
  }),
  ...family('system/silos', ['ip-pool'], {
    siloIpPoolList: get('/v1/system/silos/{silo}/ip-pools', {
      summary: 'List IP pools linked to a silo',
      path,
      query: NameOrIdPaging,
      sorts: nameOrIdSorts,
      returns: SiloIpPoolPage,
    }),
  }),
  ...family('system/silos', ['silo', 'silo-quotas', 'utilization'], {
    siloUtilizationList: get('/v1/system/utilization/silos', {
      summary: 'List usage and quotas of silos',
      query: NameOrIdPaging,
      sorts: nameOrIdSorts,
      returns: pageOf('SiloUtilization', SiloUtilization),
    }),
    siloUtilizationView: get('/v1/system/utilization/silos/{silo}', {
      summary: 'Fetch usage and quotas of a silo',
      path,
      returns: SiloUtilization,
    }),
  }),
  ...family('policy', ['policy'], {
    systemPolicyView: get('/v1/system/policy', {
      summary: "Fetch the fleet's policy",
      returns: FleetRolePolicy,
    }),
    systemPolicyUpdate: put('/v1/system/policy', {
      summary: "Replace the fleet's policy",
      body: FleetRolePolicy,
      returns: FleetRolePolicy,
    }),
  }),
}
