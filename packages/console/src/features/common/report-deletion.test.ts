import { expect, test } from 'vitest'
import { type Deletion, reportDeletion } from './report-deletion.ts'

test('reports a deletion to the page when sent and when done', async () => {
  const heard: Deletion[] = []
  await reportDeletion(
    async () => heard.length,
    (is) => heard.push(is),
  )
  expect(heard).toEqual(['sent', 'done'])
})

test('reports a refused deletion to the page and rethrows the failure', async () => {
  const heard: Deletion[] = []
  const refuse = async (): Promise<never> => Promise.reject(new Error('has subnets'))
  await expect(reportDeletion(refuse, (is) => heard.push(is))).rejects.toThrow('has subnets')
  expect(heard).toEqual(['sent', 'refused'])
})
