import type { Area } from './area.ts'

export const system: Area = {
  name: 'the system',
  forFleetViewers: true,
  screens: [
    ['system overview', '/system', true, ['heading', 'Issues by cause']],
    ['issues', '/system/issues', true, ['heading', 'Issues']],
    ['audit log', '/system/audit-log', true, ['heading', 'Audit log']],
    ['audit record', '/system/audit-log?record=:record', true, ['heading', 'Changes']],
    ['system utilization', '/system/utilization', true, ['heading', 'Capacity estimate']],
    ['system utilization, metrics', '/system/utilization?tab=metrics', true, ['heading', 'Memory']],
    [
      'system metrics',
      '/system/metrics?q=get%20hardware_component%3Atemperature%20%7C%20filter%20timestamp%20%3E%20%40now()%20-%201h',
      true,
      ['heading', 'Result'],
    ],
    [
      'system metrics, table',
      '/system/metrics?q=get%20hardware_component%3Atemperature%20%7C%20last%205&view=table',
      true,
      ['heading', 'Result'],
    ],
    ['system use and cost', '/system/usage', true, ['heading', 'By day']],
    ['fleet access', '/system/access', true, ['heading', 'Users with a fleet role']],
    ['built-in users', '/system/built-in-users', true, ['link', 'db-init']],
    ['built-in user', '/system/built-in-users/db-init', true, ['dialog', 'Built-in user']],
  ],
}
