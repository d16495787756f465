import { expect, test } from 'vitest'
import { operationText, planTitle } from './words.tsx'

const named = (kind: string, name: string | null) => ({ kind, id: 'id', name })
const plan = (operation: string, about: ReturnType<typeof named> | null) => ({
  operation,
  about,
  project: { id: 'id', name: 'web' },
})

test.each([
  [plan('vpc_firewall_rules_update', named('vpc', 'default')), 'Edit VPC firewall rules: VPC default'],
  [plan('project_delete', named('project', 'web')), 'Delete project web'],
  [plan('deletion_create', named('vpc', 'old')), 'Delete VPC old'],
  [plan('vpc_router_create', null), 'New router: web'],
  [plan('floating_ip_attach', named('floating-ip', 'front')), 'Attach floating IP front'],
])('%# is titled %s', (saved, title) => {
  expect(planTitle(saved)).toBe(title)
  expect(title.startsWith(operationText(saved))).toBe(true)
})
