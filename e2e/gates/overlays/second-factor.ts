import { withoutFirstAnswers } from '../../support/steps.ts'
import { follow, inRow, press, type Overlays, type Step } from './steps.ts'

/** Reopens the page at a host name, because passkeys do not work on IP addresses. */
const atHostName: Step = async (page) => {
  const url = new URL(page.url())
  url.hostname = 'localhost'
  const cookies = await page.context().cookies()
  await page.context().addCookies(
    cookies.map(({ name, value }) => ({
      name,
      value,
      url: url.origin,
      httpOnly: true,
      sameSite: 'Lax' as const,
    })),
  )
  await page.goto(url.href)
}

/** Mocks the user's second factors: with real ones, a password alone could no longer sign in. */
const withFactors =
  (more: object = {}): Step =>
  async (page) => {
    const times = { time_created: '2026-05-04T08:30:00.000Z', time_last_used: null }
    const passkey = {
      id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      name: 'laptop',
      rp_id: 'localhost',
      ...times,
    }
    const json = {
      kinds: ['passkey', 'totp'],
      passkeys: [passkey],
      totp: times,
      recovery_codes_left: 9,
      is_required: false,
      needs_confirmation: false,
      ...more,
    }
    await withoutFirstAnswers(page)
    await page.route('**/ext/v1/me/second-factors', (route) => route.fulfill({ json }))
    await page.reload()
  }

const withCodes: Step = async (page) => {
  const codes = Array.from({ length: 10 }, (_, index) => `ABCD-EFGH-IJKL-MN${20 + index}`)
  await page.route('**/ext/v1/me/recovery-codes', (route) => route.fulfill({ status: 201, json: { codes } }))
}

const withFactorsOfOthers: Step = async (page) => {
  const json = { passkeys: 2, totp: true, recovery_codes_left: 7 }
  await page.route('**/ext/v1/users/*/second-factors', (route) => route.fulfill({ json }))
}

export const secondFactorOverlays: Overlays = {
  'features/sign-in/factors/PasskeyDialogs.tsx': [
    ['/settings/security', 'Add passkey', atHostName, press('Add passkey')],
    ['/settings/security', 'Rename passkey', withFactors(), inRow('laptop', 'Rename')],
  ],
  'features/sign-in/factors/ConfirmIdentityDialog.tsx': [
    [
      '/settings/security',
      'Confirm your identity',
      atHostName,
      withFactors({ needs_confirmation: true }),
      press('Replace app'),
    ],
  ],
  'features/sign-in/factors/RecoveryCard.tsx': [
    ['/settings/security', 'Confirm new recovery codes', withFactors(), press('New codes')],
  ],
  'features/sign-in/factors/set-up-parts.tsx': [
    [
      '/settings/security',
      'Recovery codes',
      withFactors(),
      withCodes,
      press('New codes'),
      press('Generate codes'),
    ],
  ],
  'features/sign-in/factors/RequireDialog.tsx': [
    ['/settings/security', 'Edit second factor', withFactors(), press('Edit')],
  ],
  'features/sign-in/factors/SetUpTotpDialog.tsx': [
    ['/settings/security', 'Set up authenticator app', withFactors(), press('Replace app')],
  ],
  'features/sign-in/factors/TotpCard.tsx': [
    ['/settings/security', 'Confirm remove authenticator app', withFactors(), press('Remove app')],
  ],
  'features/sign-in/factors/UserSecondFactorsCard.tsx': [
    ['/users', 'Confirm reset second factors', withFactorsOfOthers, follow('viewer'), press('Reset')],
  ],
  'features/sign-in/factors/PasskeysCard.tsx': [
    ['/settings/security', 'Confirm delete passkey', withFactors(), inRow('laptop', 'Delete')],
  ],
}
