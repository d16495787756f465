import { expect, test } from 'vitest'
import { type CrumbMatch, crumbsOf, titleOf, visible } from './crumbs.ts'

const projects = { params: {}, staticData: { crumb: { label: 'Projects', path: '/projects' } } }
const newProject = {
  params: {},
  staticData: { crumb: { label: 'New project', path: '/projects-new', titleOnly: true } },
}
const project: CrumbMatch = {
  params: { project: 'web' },
  staticData: {
    crumb: ({ project: name = '' }) => [
      { label: 'Projects', path: '/projects' },
      { label: name, path: `/projects/${name}/instances` },
    ],
  },
}

test('a form changes the title and not the bar', () => {
  const behind = crumbsOf([{ params: {}, staticData: {} }, projects])
  const form = crumbsOf([projects, newProject])
  expect(visible(form)).toEqual(visible(behind))
  expect(titleOf(behind)).toBe('Projects / Gantry')
  expect(titleOf(form)).toBe('New project / Projects / Gantry')
})

test('a crumb may name a parameter of the path', () => {
  expect(visible(crumbsOf([project])).map(({ label }) => label)).toEqual(['Projects', 'web'])
  expect(titleOf(crumbsOf([project]))).toBe('web / Projects / Gantry')
})

test('a page without entries has the name of the product', () => expect(titleOf([])).toBe('Gantry'))
