import { config } from 'zod'

// Imported before any schema is created, so that a page's content security policy need not allow generated
// code.
config({ jitless: true })
