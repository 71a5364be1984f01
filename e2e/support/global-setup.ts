import { baseUrlVariable, dataDirVariable, makeRunFolder, startInstallation } from './installation';
import { inboundSecret } from './mail';

/** Starts one installation of the built product per run, which all workers use and which is removed afterwards. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const removeRunFolder = await makeRunFolder();
  try {
    const { baseUrl, dataDir, stop } = await startInstallation({
      settings: { INBOUND_SECRET: inboundSecret, OUTBOUND_ALLOWLIST: '127.0.0.1' },
    });
    process.env[baseUrlVariable] = baseUrl;
    process.env[dataDirVariable] = dataDir;
    return () => stop().finally(removeRunFolder);
  } catch (error) {
    await removeRunFolder();
    throw error;
  }
}
