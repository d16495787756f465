import { GiB } from '@gantry/api/base/bytes.rules'
import {
  bulkDeletedKinds,
  fieldsOf,
  filteredKinds,
  ofProjectKinds,
} from '@gantry/api/filter/list-kinds.rules'
import { taggedKinds } from '@gantry/api/tags/tag.rules'
import { meters } from '@gantry/api/usage/usage.rules'
import type { Chance } from './chance.ts'
import type { Draft } from './draft.ts'
import { nameByKind, type Near, tableOf } from './kind-and-id.ts'

/** Requests about tags, schedules, templates and what lists can be found by, which name a kind, a time or a zone beside ids. */
export function finishLists(draft: Draft, chance: Chance, near: Near): void {
  const tags = () => [{ key: chance.pick(['env', 'team']), value: chance.word(6) }]
  const project = (): [key: string, value: string][] => [
    ['project', near('project')?.id ?? crypto.randomUUID()],
  ]
  const name = () =>
    chance
      .word(12)
      .toLowerCase()
      .replace(/[^a-z]/g, 'x')
  switch (draft.op.id.replace(/^plan_/, '')) {
    case 'tags_view':
    case 'tags_update':
      nameByKind(draft, { of: taggedKinds, parameter: 'object_id', chance, near })
      if (draft.method === 'PUT') draft.body = { tags: tags() }
      break
    case 'tags_edit': {
      const kind = chance.pick(taggedKinds)
      const id = near(tableOf(kind))?.id ?? crypto.randomUUID()
      draft.body = { edits: [{ kind, id, set: tags(), remove: ['old'] }] }
      break
    }
    case 'bulk_tagging_create': {
      const kind = chance.pick(['instance', ...bulkDeletedKinds] as const)
      const id = near(tableOf(kind))?.id ?? crypto.randomUUID()
      draft.query = []
      draft.body = { kind, objects: [id], set: tags(), remove: ['old'] }
      break
    }
    case 'tags_list': {
      const kind = chance.pick(taggedKinds)
      draft.query = [
        ['kind', kind],
        ['id', near(tableOf(kind))?.id ?? crypto.randomUUID()],
      ]
      break
    }
    case 'alert_list':
      // Of the days drawn for both ends, the second is often the earlier one.
      draft.query = [['alert_class', chance.pick(['issue.**', 'activity.**', '**.began'])]]
      break
    case 'list_details': {
      const kind = chance.pick(ofProjectKinds)
      draft.query = [
        ['kind', kind],
        ['id', near(tableOf(kind))?.id ?? crypto.randomUUID()],
      ]
      break
    }
    case 'tag_key_list':
      draft.query = project()
      break
    case 'tag_value_list':
      draft.query = [...project(), ['key', 'env']]
      break
    case 'tag_demand_update':
      // No other request may be refused from then on.
      draft.body = { keys: ['env'], kinds: [], is_for_all_clients: false }
      break
    case 'schedule_create':
      draft.query = project()
      draft.body = {
        name: name(),
        description: '',
        action: chance.pick(['snapshot_disk', 'snapshot_instance', 'back_up', 'stop', 'start']),
        filter: 'name:none-of-these',
        timing: { type: 'daily', at: '03:00' },
        timezone: chance.pick(['UTC', 'Europe/Berlin', 'Mars/Olympus']),
      }
      break
    case 'schedule_update':
      draft.body = { description: chance.word(6), timing: { type: 'cron', cron: '0 3 * * *' } }
      break
    case 'backup_target_create':
      draft.body = {
        name: name(),
        description: '',
        store: { type: 'folder', folder: chance.pick(['backups', 'other', 'more']) },
        // No backup of another request may go elsewhere from then on.
        is_default: false,
      }
      break
    case 'backup_target_update':
      draft.body = { description: chance.word(6), is_default: false }
      break
    case 'backup_target_adopt':
      draft.body = {
        project: near('project')?.id ?? crypto.randomUUID(),
        backups: [near('instance_backup')?.id ?? crypto.randomUUID()],
      }
      break
    case 'shared_view_create':
      draft.query = project()
      draft.body = { list: 'instances', name: name(), filter: 'state:failed', sort: '', columns: [] }
      break
    case 'instance_backup_create':
      draft.query = project()
      draft.body = {
        name: name(),
        description: '',
        instance: near('instance')?.id ?? crypto.randomUUID(),
      }
      break
    case 'instance_backup_restore':
      draft.body = { type: chance.pick(['instance', 'in_place']), name: name(), keep_present: false }
      break
    case 'instance_batch_create':
      draft.query = project()
      draft.body = {
        name_pattern: `${chance.pick(['web', 'db'])}-{n}`,
        count: 2,
        instance: { description: '', ncpus: 1, memory: GiB, start: false },
      }
      break
    case 'instance_template_create':
    case 'instance_template_update':
      if (draft.method === 'POST') draft.query = project()
      draft.body = {
        ...(draft.method === 'POST' && { name: name(), description: '' }),
        settings: {
          hardware: { ncpus: chance.between(1, 4), memory: GiB },
          disks: [
            { name: 'data', description: '', size: GiB, disk_source: { type: 'blank', block_size: 512 } },
          ],
          network_interfaces: { type: chance.pick(['default', 'none']) },
          start: false,
        },
        fixed: [chance.pick(['hardware', 'disks', 'user_data', 'tags'])],
      }
      break
    case 'instance_template_use':
      draft.query = project()
      draft.body = { name: name(), start: false, user_data: '' }
      break
    case 'instance_template_batch_use':
      draft.query = project()
      draft.body = { name_pattern: `${chance.pick(['web', 'db'])}-{n}`, count: 2, start: false }
      break
    case 'instance_batch_names':
      draft.query = [...project(), ['name_pattern', 'web-{n}'], ['count', '2']]
      break
    case 'usage_prices_update':
      draft.body = {
        currency: 'EUR',
        prices: Object.fromEntries(meters.map((meter) => [meter, chance.below(100) / 100])),
      }
      break
    case 'list_values': {
      const kind = chance.pick(filteredKinds)
      draft.query = [...project(), ['kind', kind], ['field', chance.pick(Object.keys(fieldsOf(kind)))]]
      break
    }
  }
}
