import { expect, test } from 'vitest'
import { type CrumbMatch, entriesOf, titleOf, visible } from './crumbs.ts'

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

test("a page without entries has the product's name as title", () => expect(titleOf([])).toBe('Gantry'))
