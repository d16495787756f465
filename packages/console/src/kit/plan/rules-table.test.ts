import { expect, test } from 'vitest'
import type { Plan } from './plan.ts'
import { isRule, ruleRows } from './RulesTable.tsx'

const change = (more: Partial<Plan['changes'][number]>): Plan['changes'][number] => ({
  kind: 'vpc-firewall-rule',
  id: String(more.name),
  name: 'allow-ssh',
  action: 'edited',
  other: null,
  differences: [],
  ...more,
})

test('each field of each rule is a row, with what it is now and then', () => {
  const changes = [
    change({
      differences: [
        { field: 'priority', before: 10, after: 7 },
        { field: 'status', before: 'enabled', after: 'disabled' },
      ],
    }),
    change({
      name: 'new',
      action: 'created',
      differences: [{ field: 'action', before: null, after: 'allow' }],
    }),
    change({
      name: 'old',
      action: 'deleted',
      differences: [{ field: 'action', before: 'deny', after: null }],
    }),
    change({ name: 'same' }),
    change({ kind: 'disk', name: 'data' }),
  ]
  expect(
    ruleRows(changes).map(({ sign, word, name, field, before, after }) =>
      [sign, word, name, field, before, after].join('|'),
    ),
  ).toEqual([
    '~|Edited|allow-ssh|Priority|10|7',
    '|||Status|enabled|disabled',
    '+|Created|new|Action||allow',
    '−|Deleted|old|Action|deny|',
    '~|Edited|same|||',
  ])
  expect(changes.filter(isRule)).toHaveLength(4)
})
