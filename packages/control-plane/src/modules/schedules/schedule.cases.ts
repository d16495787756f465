import type { scheduleOps } from '@gantry/api/schedules/schedule'
import { atlas, fresh, named, project } from '../../testing/case-values.ts'
import {
  type CasesOf,
  createInProject,
  type Given,
  listChild,
  modifyChild,
  readChild,
} from '../../testing/operation-case.ts'
import type { PolicyScene } from '../../testing/policy-scene.ts'

const sent = { path: { schedule: 'nobody' }, query: project }
const timing = { type: 'daily', at: '03:00' }
const nightly = (name: string) => ({
  name,
  description: '',
  action: 'stop',
  filter: 'name:nobody',
  timing,
  timezone: 'Europe/Berlin',
})
const freshSchedule = (made: PolicyScene['made']): Promise<string> =>
  made(`/ext/v1/schedules?${atlas}`, nightly(fresh()))

export const scheduleCases: CasesOf<typeof scheduleOps> = {
  scheduleCreate: {
    sent: {
      query: project,
      body: {
        ...named,
        action: 'snapshot_disk',
        objects: ['nobody'],
        timing: { type: 'weekly', days: [1, 5], at: '03:00' },
        timezone: 'UTC',
        keep: { hourly: 0, daily: 7, weekly: 4, monthly: 0 },
      },
    },
    rule: createInProject,
    allowed: () => [`/ext/v1/schedules?${atlas}`, nightly(fresh())],
  },
  scheduleView: {
    sent,
    rule: readChild,
    allowed: async ({ made }) => [`/ext/v1/schedules/${await freshSchedule(made)}?${atlas}`],
    addressed: [
      'schedule',
      'schedule',
      ['project'],
      'when providing schedule as an ID project should not be specified',
      'schedule should either be UUID or project should be specified',
    ],
  },
  scheduleUpdate: {
    sent: { ...sent, body: { description: 'x', timing: { type: 'cron', cron: '0 3 * * 1-5' } } },
    rule: modifyChild,
    allowed: async ({ made }) => [
      `/ext/v1/schedules/${await freshSchedule(made)}?${atlas}`,
      { description: fresh() },
    ],
  },
  scheduleDelete: {
    sent,
    rule: modifyChild,
    allowed: async ({ made }) => [`/ext/v1/schedules/${await freshSchedule(made)}?${atlas}`],
  },
  scheduleRunList: {
    sent,
    rule: listChild,
    allowed: async ({ made }) => [`/ext/v1/schedules/${await freshSchedule(made)}/runs?${atlas}`],
  },
  scheduleRunItemList: {
    sent: { ...sent, query: { ...project, due: '2026-01-01T03:00:00Z' } },
    rule: listChild,
    allowed: async ({ made }) => [`/ext/v1/schedules/${await freshSchedule(made)}/run-items?${atlas}`],
  },
}

export const scheduleGiven: Given = {
  schedule: ({ at, the }) => [`/ext/v1/schedules?${at}`, { ...nightly('unused'), ...the }],
}
