import { expect, test } from 'vitest'
import { type CrumbMatch, entriesOf, titleOf, visible, parentIndexOf } from './crumbs.ts'

const projects: CrumbMatch = { params: {}, staticData: { crumb: { label: 'Projects', to: '/projects' } } }
const newProject: CrumbMatch = { params: {}, staticData: { title: 'New project' } }
const project: CrumbMatch = {
  params: { project: 'web' },
  staticData: {
    crumb: [
      { label: 'Projects', to: '/projects' },
      { param: 'project', to: '/projects/$project/instances' },
    ],
  },
}

test('a form changes the title but not the breadcrumbs', () => {
  const behind = entriesOf([{ params: {}, staticData: {} }, projects])
  const form = entriesOf([projects, newProject])
  expect(visible(form)).toEqual(visible(behind))
  expect(titleOf(behind)).toBe('Projects / Gantry')
  expect(titleOf(form)).toBe('New project / Projects / Gantry')
})

test('a crumb may show a parameter of the path', () => {
  expect(visible(entriesOf([project]))).toEqual([
    { label: 'Projects', href: '/projects' },
    { label: 'web', href: '/projects/web/instances' },
  ])
  expect(titleOf(entriesOf([project]))).toBe('web / Projects / Gantry')
})

test('truncates an id in the middle', () => {
  const to = '/system/inventory/sleds/$sled/instances'
  const sled: CrumbMatch = {
    params: { sled: '5c56b522-c9b8-49e4-9f9a-8d52a89ec3e0' },
    staticData: { crumb: { param: 'sled', to, isId: true } },
  }
  expect(titleOf(entriesOf([sled]))).toBe('5c56b…ec3e0 / Gantry')
  expect(visible(entriesOf([sled]))[0]?.href).toBe(
    '/system/inventory/sleds/5c56b522-c9b8-49e4-9f9a-8d52a89ec3e0/instances',
  )
})

test('the parent is another page', () => {
  const at = (...hrefs: string[]) => parentIndexOf(hrefs.map((href) => ({ label: '', href })))
  expect(at('/system/silos', '/system/silos/forge/idps', '/system/silos/forge/users')).toBe(1)
  expect(at('/system/silos', '/system/silos/forge/idps', '/system/silos/forge/idps')).toBe(0)
  expect(at('/system')).toBe(0)
})

test("a page without entries has the product's name as title", () => expect(titleOf([])).toBe('Gantry'))
