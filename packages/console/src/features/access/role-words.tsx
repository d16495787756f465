import type { Level } from '@gantry/api/base/permission.rules'
import { type RoleName, rolesOn } from '@gantry/api/base/roles.rules'
import { spoken } from '@gantry/api/base/state.rules'
import type { ReactNode } from 'react'
import { sentenceCase } from '#/ui/data/format.ts'

/** The text of a role's tag: `Silo admin`. */
export const roleText = (level: Level, role: RoleName): string => `${sentenceCase(level)} ${spoken(role)}`

/** The permissions of each role, in one line. */
const meanings = {
  fleet: {
    admin: 'Manages fleet roles, silos, IP pools and hardware.',
    collaborator: 'Creates and changes fleet resources, but cannot manage fleet roles.',
    viewer: 'Views the system area, and changes nothing.',
  },
  silo: {
    admin: 'Manages roles and has full control of all projects.',
    collaborator: 'Creates projects and silo images, and has full control of all projects.',
    limited_collaborator:
      'Creates, changes and deletes silo images, and resources in all projects. Only views networks.',
    viewer: 'Views all projects and their resources, and changes nothing.',
  },
  project: {
    admin: 'Manages roles on this project and has full control of it.',
    collaborator: 'Creates, changes and deletes resources in this project.',
    limited_collaborator: 'Creates, changes and deletes resources in this project. Only views its networks.',
    viewer: 'Views resources in this project, and changes nothing.',
  },
} as const satisfies Record<Level, Partial<Record<RoleName, string>>>

export const roleMeaning = (level: Level, role: RoleName): string | undefined => {
  const ofLevel: Partial<Record<RoleName, string>> = meanings[level]
  return ofLevel[role]
}

/** The selectable roles with their permissions. */
export const roleOptions = (level: Level) =>
  rolesOn[level].map((role: RoleName) => ({
    value: role,
    label: sentenceCase(role),
    detail: roleMeaning(level, role),
  }))

/** A success message: `Role assigned to omar`. */
export const roleMessage = (what: string, name: string): ReactNode => (
  <>
    {what} <strong>{name}</strong>
  </>
)
