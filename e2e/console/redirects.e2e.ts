import { placeholdersIn } from '../support/placeholders.ts'
import { redirects } from '../support/redirects.ts'
import { signIn, visit } from '../support/steps.ts'
import { notOn } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

for (const { from, to, heading, who = 'member' } of redirects)
  test(
    `${from} redirects to ${to} on a direct load, on a reload and after signing in`,
    notOn({ preview: 'loads pages anew' }),
    async ({ open, project, machine, api }) => {
      await machine('web')
      const fill = await placeholdersIn(api, project)
      const [asked, landed] = [fill(from), fill(to)]
      const title = { name: heading, exact: true, level: 1 } as const
      const page = await open(who, asked)
      await expect(page).toHaveURL(landed)
      await expect(page.getByRole('heading', title)).toBeVisible()
      await page.reload()
      await expect(page.getByRole('heading', title)).toBeVisible()

      const stranger = await open('nobody', asked)
      await expect(stranger).toHaveURL(/\/login/)
      await visit(stranger, `/login/demo/local?redirect_uri=${encodeURIComponent(asked)}`)
      await signIn(stranger, who)
      await expect(stranger).toHaveURL(landed)
      await expect(stranger.getByRole('heading', title)).toBeVisible()
    },
  )
