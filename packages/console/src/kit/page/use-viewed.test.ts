import { expect, test } from 'vitest'
import { type Deletion, reportDeletion } from './use-viewed.ts'

test('reports a deletion to the page when sent and when done', async () => {
  const reports: Deletion[] = []
  await reportDeletion(
    async () => reports.length,
    (is) => reports.push(is),
  )
  expect(reports).toEqual(['sent', 'done'])
})

test('reports a refused deletion to the page and rethrows the failure', async () => {
  const reports: Deletion[] = []
  const refuse = async (): Promise<never> => Promise.reject(new Error('has subnets'))
  await expect(reportDeletion(refuse, (is) => reports.push(is))).rejects.toThrow('has subnets')
  expect(reports).toEqual(['sent', 'refused'])
})
