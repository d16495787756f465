import type { Area } from './area.ts'

export const documentation: Area = {
  name: 'documentation',
  screens: [
    ['documentation', '/docs', true, ['heading', 'Documentation']],
    ['documentation, a page', '/docs/filters', true, ['heading', 'Filters of lists']],
    ['documentation, a drawing', '/docs/unreachable-instance', true, ['heading', 'Ask the packet check']],
    ['documentation, the API', '/docs/api-storage', true, ['heading', 'Create a disk']],
  ],
}
