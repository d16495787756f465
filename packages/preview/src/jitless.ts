import { config } from 'zod'

// Imported before any schema is made: a page's content security policy need not allow code made of text.
config({ jitless: true })
