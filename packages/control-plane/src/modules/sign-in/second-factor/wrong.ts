import { invalid, Refusal } from '../../../kernel/refusal.ts'

/** One answer for every way of being wrong, so that nothing can be learned from it. */
export const wrongCode = (): Refusal =>
  invalid(
    'the code is wrong or was used before',
    'Enter the code that is currently shown. Each code works once.',
  )

export const wrongPasskey = (): Refusal =>
  invalid('the passkey was not accepted', 'Try again, or choose another way to sign in.')

/** Of a sign-in that waited for too long, was finished, or whose password is another one by now. */
export const noPendingSignIn = (): Refusal =>
  new Refusal('Unauthorized', 'the sign-in has ended or was never started', {
    help: 'Sign in with your user name and password again.',
  })
