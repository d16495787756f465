import type { Level } from '@gantry/api/base/permission.rules'
import { type RoleName, roleOrder } from '@gantry/api/base/roles.rules'
import type { ReactNode } from 'react'
import { sentenceCase } from '#/ui/data/format.ts'

/** The text of a role's tag: `Silo admin`. */
export const roleText = (level: Level, role: RoleName): string => `${sentenceCase(level)} ${role}`

/** The permissions of each role, in one line. */
export const roleMeanings: Record<Level, Record<RoleName, string>> = {
  fleet: {
    admin: 'Manages fleet roles, silos, IP pools and hardware.',
    collaborator: 'Creates and changes fleet resources, but cannot manage fleet roles.',
    viewer: 'Views the system area, and changes nothing.',
  },
  silo: {
    admin: 'Manages roles and has full control of all projects.',
    collaborator: 'Creates projects and silo images, and has full control of all projects.',
    viewer: 'Views all projects and their resources, and changes nothing.',
  },
  project: {
    admin: 'Manages roles on this project and has full control of it.',
    collaborator: 'Creates, changes and deletes resources in this project.',
    viewer: 'Views resources in this project, and changes nothing.',
  },
}

/** The selectable roles with their permissions. */
export const roleOptions = (level: keyof typeof roleMeanings) =>
  roleOrder.map((role) => ({ value: role, label: sentenceCase(role), detail: roleMeanings[level][role] }))

/** A success message: `Role assigned to omar`. */
export const roleMessage = (what: string, name: string): ReactNode => (
  <>
    {what} <strong>{name}</strong>
  </>
)
