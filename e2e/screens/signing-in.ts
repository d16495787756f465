import type { Area } from './area.ts'

export const signingIn: Area = {
  name: 'signing in',
  screens: [
    ['sign-in, silo unknown', '/login?silo=', false, ['button', 'Continue']],
    ['sign-in, silo to choose', '/login', false, ['button', 'demo A silo for trying things out']],
    ['sign-in', '/login/demo/local', false, ['button', 'Sign in']],
    [
      'sign-in, identity provider',
      '/login/demo/saml/corporate?refused=400',
      false,
      ['link', 'Sign in with corporate'],
    ],
    ['test sign-in, done', '/login/tested', false, ['heading', 'Test sign-in complete']],
    ['sign-in, done elsewhere', '/login/done', true, ['link', 'continue here']],
    ['documentation, signed out', '/docs', false, ['link', 'Sign in']],
    ['documentation, a page, signed out', '/docs/terraform', false, ['heading', 'Use Terraform']],
    ['device', '/device/verify', false, ['button', 'Log in on device']],
    ['device, done', '/device/success', false, ['heading', 'Device logged in']],
    ['nothing there', '/no/such/page', true, ['heading', 'Page not found']],
  ],
}
