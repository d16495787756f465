import type { Level } from '@gantry/api/permission.rules'
import { type RoleName, roleOrder } from '@gantry/api/roles.rules'
import { sentenceCase } from '../../ui/format.ts'

/** As roles are shown in tags: `silo.admin`. */
export const roleText = (level: Level, role: RoleName): string => `${level}.${role}`

export const roleOptions = roleOrder.map((role) => ({ value: role, label: sentenceCase(role) }))

/** What each role lets one do, in a line. */
export const roleMeanings: Record<'silo' | 'project', Record<RoleName, string>> = {
  silo: {
    admin: 'Decides who has which role, and may do everything in all projects.',
    collaborator: 'Creates projects and images of the silo, and may do everything in all projects.',
    viewer: 'Sees all projects and what is in them, and changes nothing.',
  },
  project: {
    admin: 'Decides who has which role on this project, and may do everything in it.',
    collaborator: 'Creates, changes and deletes what is in this project.',
    viewer: 'Sees what is in this project, and changes nothing.',
  },
}
