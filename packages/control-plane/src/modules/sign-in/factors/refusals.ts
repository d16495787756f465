import { invalid, Refusal } from '@gantry/control-plane/context/refusal'

/** One response for every kind of mistake, so that it reveals nothing. */
export const wrongCode = (): Refusal =>
  invalid(
    'the code is wrong or was used before',
    'Enter the code that is currently shown. Each code works once.',
  )

export const wrongPasskey = (): Refusal =>
  invalid('the passkey was not accepted', 'Try again, or choose another way to sign in.')

/** The sign-in expired, was completed, or its password has changed. */
export const noPendingSignIn = (): Refusal =>
  new Refusal('Unauthorized', 'the sign-in has ended or was never started', {
    help: 'Sign in with your user name and password again.',
  })
