import { scenesIn } from '../support/scenes.ts'
import type { Area } from './area.ts'

export const storage: Area = {
  name: 'storage',
  screens: [
    ['instance, storage', '/projects/:project/instances/walker/storage', true, ['heading', 'No other disks']],
    [
      'instance, snapshots',
      '/projects/:project/instances/walker/snapshots',
      true,
      ['button', 'Actions for whole'],
    ],
    ['disks', '/projects/:project/disks', true, ['link', 'walker']],
    ['new disk', '/projects/:project/disks-new', true, ['button', 'Create disk']],
    ['disk', '/projects/:project/disks/walker-boot', true, ['link', 'nightly']],
    ['disk, metrics', '/projects/:project/disks/walker-boot?tab=metrics', true, ['heading', 'Disk Flushes']],
    ['disk, activity', '/projects/:project/disks/walker-boot?tab=activity', true, ['heading', 'Today']],
    ['snapshots', '/projects/:project/snapshots', true, ['link', 'nightly']],
    ['snapshot', '/projects/:project/snapshots/nightly', true, ['link', 'golden']],
    ['instance snapshots', '/projects/:project/instance-snapshots', true, ['link', 'whole']],
    ['instance snapshot', '/projects/:project/instance-snapshots/whole', true, ['link', 'walker-boot']],
    ['new snapshot', '/projects/:project/snapshots-new', true, ['button', 'Create snapshot']],
    ['backups', '/projects/:project/backups', true, ['link', 'kept']],
    ['backup', '/projects/:project/backups/kept', true, ['button', 'Verify']],
    ['instance, backups', '/projects/:project/instances/walker/backups', true, ['link', 'kept']],
    ['schedules', '/projects/:project/schedules', true, ['link', 'nightly']],
    ['new schedule', '/projects/:project/schedules-new', true, ['button', 'Create schedule']],
    ['schedule', '/projects/:project/schedules/nightly', true, ['heading', 'Runs']],
    ['edit schedule', '/projects/:project/schedules/nightly/edit', true, ['button', 'Update schedule']],
    ['project images', '/projects/:project/images', true, ['link', 'golden']],
    ['project image', '/projects/:project/images/golden', true, ['heading', 'No disks']],
    ['upload image', '/projects/:project/images-new', true, ['button', 'Upload image']],
    ['silo images', '/images', true, ['link', 'alpine-3-22']],
    ['silo image', '/images/alpine-3-22', true, ['tab', 'Used by']],
    ['instances of all projects', '/all/instances', true, ['link', 'walker']],
    ['disks of all projects', '/all/disks', true, ['button', 'Export']],
    ['snapshots of all projects', '/all/snapshots', true, ['tabpanel', 'Snapshots']],
    ['instance snapshots of all projects', '/all/instance-snapshots', true, ['link', 'whole']],
    ['backups of all projects', '/all/backups', true, ['link', 'kept']],
    ['images of all projects', '/all/images', true, ['link', 'alpine-3-22']],
    ['VPCs of all projects', '/all/vpcs', true, ['button', 'Export']],
    ['floating IPs of all projects', '/all/floating-ips', true, ['tabpanel', 'Floating IPs']],
    ['utilization', '/utilization', true, ['heading', 'Storage (TiB)']],
    ['use and cost', '/usage', true, ['heading', 'By day']],
    ['use and cost by tag', '/projects/:project/usage?tag=env', true, ['heading', 'By day']],
    ['metrics', '/projects/:project/metrics', true, ['button', 'Run query']],
    ['saved queries', '/projects/:project/saved-queries', true, ['link', 'walkers-cpu']],
    ['new saved query', '/projects/:project/saved-queries-new', true, ['button', 'Create saved query']],
    ['saved query', '/projects/:project/saved-queries/walkers-cpu', true, ['heading', 'History']],
    [
      'edit saved query',
      '/projects/:project/saved-queries/walkers-cpu/edit',
      true,
      ['button', 'Update saved query'],
    ],
  ],
  furnish: async ({ api, project }) => {
    const scenes = scenesIn(api, project)
    const { id } = await scenes.snapshot('nightly', 'walker-boot')
    await scenes.image('golden', id)
    await api('member', 'POST', `/ext/v1/instance-snapshots?project=${project}`, {
      name: 'whole',
      description: 'before the upgrade',
      instance: 'walker',
    })
    await scenes.backupTarget()
    await scenes.backup('kept', 'walker', { description: 'outside of the rack' })
    const cpu = 'get virtual_machine:vcpu_usage | filter timestamp > @now() - 5m | align mean_within(1m)'
    await api('member', 'POST', `/ext/v1/metric-queries?project=${project}`, {
      name: 'walkers-cpu',
      description: 'whether they are busy',
      query: cpu,
      threshold: { comparison: 'above', value: 4.5e9, for_seconds: 300 },
    })
    await api('member', 'POST', `/ext/v1/shared-views?project=${project}`, {
      list: 'instances',
      name: 'Failed in prod',
      filter: 'state:failed',
      sort: '-created',
      columns: [],
    })
    await api('member', 'POST', `/ext/v1/schedules?project=${project}`, {
      name: 'nightly',
      description: 'before the backups',
      action: 'snapshot_disk',
      filter: 'name:*-data',
      timing: { type: 'daily', at: '03:00' },
      timezone: 'Europe/Berlin',
      keep: { hourly: 0, daily: 7, weekly: 4, monthly: 12 },
    })
  },
}
