import * as op from '@gantry/api/client/operations.gen'
import { asFleetRole } from '@gantry/api/base/roles.rules'
import type { Level } from '@gantry/api/base/permission.rules'
import { type Answer, call, type Send } from '#/data/client.ts'
import type { Assignment } from './assignments.ts'

/** The fleet, a silo or a project, as the owner of its policy document. */
export interface PolicyOwner {
  level: Level
  /** Of the silo or project; empty for the fleet. */
  name: string
  read: () => Promise<Answer<'policyView'>>
  /** `etag` is the version that was read, where the server sends one. */
  write: (roleAssignments: Assignment[], etag: string | undefined, send?: Send) => Promise<unknown>
}

export const siloOwner = (name: string): PolicyOwner => ({
  level: 'silo',
  name,
  read: () => call(op.policyView, {}),
  write: (roleAssignments, ifMatch, send = call) =>
    send(op.policyUpdate, { body: { roleAssignments } }, { ifMatch }),
})

/** The policy of any silo, for fleet administrators. */
export const anySiloOwner = (name: string): PolicyOwner => ({
  level: 'silo',
  name,
  read: () => call(op.siloPolicyView, { path: { silo: name } }),
  write: (roleAssignments, ifMatch, send = call) =>
    send(op.siloPolicyUpdate, { path: { silo: name }, body: { roleAssignments } }, { ifMatch }),
})

export const fleetOwner: PolicyOwner = {
  level: 'fleet',
  name: '',
  read: () => call(op.systemPolicyView, {}),
  write: (roleAssignments, ifMatch, send = call) =>
    send(
      op.systemPolicyUpdate,
      {
        body: {
          roleAssignments: roleAssignments.map((one) => ({ ...one, roleName: asFleetRole(one.roleName) })),
        },
      },
      { ifMatch },
    ),
}

export const projectOwner = (project: string): PolicyOwner => ({
  level: 'project',
  name: project,
  read: () => call(op.projectPolicyView, { path: { project } }),
  write: (roleAssignments, ifMatch, send = call) =>
    send(op.projectPolicyUpdate, { path: { project }, body: { roleAssignments } }, { ifMatch }),
})

/** `silo demo`, `the fleet`. */
export const ownerName = ({ level, name }: Pick<PolicyOwner, 'level' | 'name'>): string =>
  level === 'fleet' ? 'the fleet' : `${level} ${name}`
