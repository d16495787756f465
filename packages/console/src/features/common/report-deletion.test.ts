import { expect, test } from 'vitest'
import { type Deletion, reportDeletion } from './report-deletion.ts'

test('a page hears that the deletion of its object was sent, and that it is done', async () => {
  const heard: Deletion[] = []
  await reportDeletion(
    async () => heard.length,
    (is) => heard.push(is),
  )
  expect(heard).toEqual(['sent', 'done'])
})

test('a page hears of a refusal, which is thrown on', async () => {
  const heard: Deletion[] = []
  const refuse = async (): Promise<never> => Promise.reject(new Error('has subnets'))
  await expect(reportDeletion(refuse, (is) => heard.push(is))).rejects.toThrow('has subnets')
  expect(heard).toEqual(['sent', 'refused'])
})
