import { runBackupProgram } from './backup-program.mjs';

/**
 * `npm run -s backup -- --to FILE.tar.gz`: database, attachments and pictures in one file, with or without a running server.
 */
await runBackupProgram('backup');
