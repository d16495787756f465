import type { Area } from './area.ts'

export const documentation: Area = {
  name: 'documentation',
  screens: [
    ['documentation', '/docs', true, ['heading', 'Documentation']],
    ['documentation, a page', '/docs/filters', true, ['heading', 'Filters of lists']],
    ['documentation, the API', '/docs/api-storage', true, ['heading', 'Create a disk']],
  ],
}
