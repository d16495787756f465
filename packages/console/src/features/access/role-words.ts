import type { Level } from '@gantry/api/permission.rules'
import { type RoleName, roleOrder } from '@gantry/api/roles.rules'
import { sentenceCase } from '#/ui/format.ts'

/** As roles are shown in tags: `silo.admin`. */
export const roleText = (level: Level, role: RoleName): string => `${level}.${role}`

/** What each role lets one do, in a line. */
export const roleMeanings: Record<Level, Record<RoleName, string>> = {
  fleet: {
    admin: 'Manages fleet roles, silos, IP pools and hardware.',
    collaborator: 'Creates and changes resources of the fleet, but not who has roles on it.',
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

/** The roles to choose from, each with what it lets one do. */
export const roleOptions = (level: keyof typeof roleMeanings) =>
  roleOrder.map((role) => ({ value: role, label: sentenceCase(role), detail: roleMeanings[level][role] }))
