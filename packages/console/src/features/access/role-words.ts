import type { Level } from '@gantry/api/permission.rules'
import { type RoleName, roleOrder } from '@gantry/api/roles.rules'
import { sentenceCase } from '../../ui/format.ts'

/** As roles are shown in tags: `silo.admin`. */
export const roleText = (level: Level, role: RoleName): string => `${level}.${role}`

export const roleOptions = roleOrder.map((role) => ({ value: role, label: sentenceCase(role) }))

/** What each role lets one do, in a line. */
export const roleMeanings: Record<'silo' | 'project', Record<RoleName, string>> = {
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
