import type { Area } from './area.ts'

export const tags: Area = {
  name: 'tags',
  screens: [['tags of the silo', '/tags', true, ['button', 'Required tags…']]],
}
