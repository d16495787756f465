import * as op from '@gantry/api/client/operations.gen'
import { maxTopicProjects } from '@gantry/api/extensions.rules'
import { expect, test } from 'vitest'
import { listQuery, opQuery } from './queries.ts'
import { areCovered, topicQuery, topicsOf } from './topics.ts'

const instancesIn = (project: string) => listQuery(op.instanceList, { query: { project } }).at()

test('are the projects that queries name, and their other topics', () => {
  expect(topicQuery(topicsOf([]))).toBe('?topic=silo')
  const queries = [
    opQuery(op.projectView, { path: { project: 'web' } }),
    instancesIn('web'),
    instancesIn('db'),
  ]
  expect(topicQuery(topicsOf(queries))).toBe('?topic=silo&project=web&project=db')
  const others = [opQuery(op.utilizationView, {}), opQuery(op.faultList, {})]
  expect(topicQuery(topicsOf(others))).toBe('?topic=silo&topic=utilization&topic=fleet')
})

test.each([
  ['IP pools', opQuery(op.ipPoolList, {})],
  ['alert receivers', opQuery(op.alertReceiverList, {})],
  ['saved queries', opQuery(op.metricQueryList, {})],
  ['support bundles', opQuery(op.supportBundleStatusList, {})],
  ['the allow list', opQuery(op.networkingAllowListView, {})],
])('include the fleet where a page shows %s', (_, query) => {
  expect(topicQuery(topicsOf([query]))).toBe('?topic=silo&topic=fleet')
})

test('cover the queries they derive from, and no other project', () => {
  const topics = topicsOf([instancesIn('web')])
  expect(areCovered(topics, instancesIn('web'))).toBe(true)
  expect(areCovered(topics, listQuery(op.projectList, {}).at())).toBe(true)
  expect(areCovered(topics, instancesIn('db'))).toBe(false)
  expect(areCovered(topics, opQuery(op.utilizationView, {}))).toBe(false)
})

test('of more projects than a stream can name cover everything', () => {
  const projects = Array.from({ length: maxTopicProjects + 1 }, (_, index) => instancesIn(`p-${index}`))
  expect(topicQuery(topicsOf(projects))).toBe('')
})
