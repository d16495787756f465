import type { Area } from './area.ts'

export const activity: Area = {
  name: 'activity',
  screens: [
    ['activity of a project', '/projects/:project/activity', true, ['link', 'walker']],
    [
      'activity of a project, none found',
      '/projects/:project/activity?search=never-was',
      true,
      ['heading', 'Nothing matches'],
    ],
    ['instance, activity', '/projects/:project/instances/walker/activity', true, ['heading', 'Today']],
    ['activity of the silo', '/activity', true, ['heading', 'Today']],
    ['my activity', '/settings/activity', true, ['heading', 'My activity']],
    ['activity of the fleet', '/system/activity', true, ['heading', 'Activity']],
  ],
}
