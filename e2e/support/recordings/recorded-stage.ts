import type { Browser, TestInfo } from '@playwright/test'
import { expect } from '@playwright/test'
import type { Stage, User } from '../stage.ts'
import { serverStage } from '../stage-server.ts'
import type { Renewed } from './installations.ts'
import { replayStory } from './replay-story.ts'

/** A stage on an installation of its own. What its users did is repeated on another one after the test. */
export async function playAndReplay(
  browser: Browser,
  gantry: Renewed,
  use: (stage: Stage) => Promise<void>,
  testInfo: TestInfo,
): Promise<void> {
  await gantry.renew()
  const users = new Set<User>()
  const { open, api, clear } = serverStage(browser, gantry)
  await use({
    open(who, path) {
      if (who !== 'nobody') users.add(who)
      return open(who, path)
    },
    api(user, ...request) {
      users.add(user)
      return api(user, ...request)
    },
    clear,
  })
  if (testInfo.status === testInfo.expectedStatus && testInfo.status === 'passed')
    await replay(browser, gantry, users, testInfo.title)
  await clear()
}

async function replay(
  browser: Browser,
  gantry: Renewed,
  users: ReadonlySet<User>,
  title: string,
): Promise<void> {
  const { requests, way, problems, notes } = await replayStory(gantry, browser, users, title)
  expect(requests, `${title} changed something`).toBeGreaterThan(0)
  const what = `${requests} requests as ${way}, ${notes.length} comments: ${title}`
  if (problems.length > 0 || notes.length > 0)
    console.log(
      [`problems with ${what}`, ...problems, ...notes.map((note) => `note: ${note}`)].join('\n    '),
    )
  else console.log(`repeated ${what}`)
  expect(problems, `${title}, repeated on an empty installation`).toEqual([])
}
